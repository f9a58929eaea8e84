import { findHiddenCharacters, reveal } from './hidden-characters.ts';

export type Finding =
  | 'instructions'
  | 'hidden-characters'
  | 'bidirectional-characters'
  | 'terminal-escapes'
  | 'encoded-blob'
  | 'secret-path';

const blob =
  /(?:[A-Za-z0-9+/_-]{200,}={0,2})|(?:\b(?:[0-9a-f]{2}){120,}\b)|(?:(?:\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|%[0-9a-f]{2}){40,})/iu;
const secretPath =
  /~\/\.|\.ssh\b|\bid_(?:rsa|ed25519)\b|\.aws\b|\/etc\/(?:passwd|shadow)\b|(?<![\w.])\.env\b(?!\.(?:example|sample))/iu;

/** Of longer texts the two ends are scanned: the ends are what a result shows inline. Characters. */
const longestScan = 512 * 1024;

const english: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\s+(?:\w+\s+){0,3}(?:previous|prior|above|earlier|preceding|system|all)\s+(?:\w+\s+){0,2}(?:instructions?|prompts?|rules?|messages?|context|directions?)/iu,
  /\b(?:new|updated|real|actual|hidden)\s+(?:system\s+)?instructions?\s*[:：]/iu,
  /\byou\s+are\s+now\b|\bsystem\s+prompt\b|<\/?\s*(?:system|important|instructions?|assistant)\s*>/iu,
  /\b(?:do\s+not|don't|never|without)\s+(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|notify|notifying|ask|asking|alert|alerting)\s+(?:\w+\s+){0,3}(?:the\s+)?(?:user|human|developer|anyone)/iu,
  /\b(?:you|assistant|ai|agent|model|llm|claude|gpt|copilot)\b[^.!?\n]{0,30}\b(?:must|should|shall|need\s+to|have\s+to|are\s+required\s+to)\s+(?:\w+\s+){0,3}(?:call|run|execute|send|read|invoke|upload|post|forward|email|fetch|delete|include|append|copy)\b/iu,
  /\b(?:before|after|when|whenever)\s+(?:using|calling|running)\s+(?:this|any|every|each|other)\s+tools?\b/iu,
  /\b(?:important|attention|note)\b\W{0,5}(?:to\s+)?(?:the\s+)?(?:ai|assistants?|agents?|models?|llms?)\b/iu,
];
const chinese: readonly RegExp[] = [
  /(?:忽略|无视|忘记|忘掉|不要理会|跳过|覆盖)[^。！？\n]{0,10}(?:之前|以上|上面|上述|先前|此前|前面|所有|全部|一切|系统)[^。！？\n]{0,10}(?:指令|指示|提示|规则|要求|命令|内容|说明)/u,
  /(?:新的?|真正的?|最新的?|隐藏的?)(?:系统)?(?:指令|指示|命令)[:：]/u,
  /你现在是|系统提示词?|从现在(?:开始|起)[，,]?你/u,
  /(?:不要|别|切勿|请勿|无需|不得)(?:把[^。\n]{0,10})?(?:告诉|告知|通知|提醒|提及|透露给|询问)[^。！？\n]{0,6}(?:用户|人类|开发者|任何人|他人)/u,
  /(?:助手|模型|智能体|代理|人工智能|AI|你)[^。！？\n]{0,10}(?:必须|务必|应当|应该|需要)[^。！？\n]{0,8}(?:调用|执行|运行|发送|读取|上传|转发|删除|提交)/iu,
  /(?:在|每次)?(?:使用|调用)(?:本|此|该|任何|其他)工具(?:之前|前|之后|后)[，,]?[^。\n]{0,8}(?:必须|务必|请先|先)/u,
];

/**
 * What a text holds that text for people does not need (requirements G5, G7): marks, no verdict. Information flow
 * decides what may happen; a scanner can be got around. English and Chinese.
 */
export function scanText(whole: string): Finding[] {
  const text =
    whole.length <= longestScan ? whole : `${whole.slice(0, longestScan / 2)}\n${whole.slice(-longestScan / 2)}`;
  const findings: Finding[] = [];
  const hidden = findHiddenCharacters(text);
  if (hidden.invisible) findings.push('hidden-characters');
  if (hidden.bidirectional) findings.push('bidirectional-characters');
  if (hidden.terminal) findings.push('terminal-escapes');
  if (blob.test(text)) findings.push('encoded-blob');
  if (secretPath.test(text)) findings.push('secret-path');
  const plain = reveal(text);
  if ([...english, ...chinese].some((pattern) => pattern.test(plain))) findings.push('instructions');
  return findings;
}
