import type { TaskKind } from '@capstan/contracts';

const englishVerbs =
  'fix|repair|make|add|implement|change|update|rename|remove|delete|refactor|create|write|replace|correct|improve|convert|move|support|handle|upgrade|port|resolve|solve|debug|patch|unbreak|restore|turn|bring|adjust|extend|extract|split|migrate|document|optimi[sz]e|simplify|clean|drop|enable|disable|bump|revert|ensure';
const chineseVerbs =
  '修|改|解决|搞定|处理|纠正|调整|优化|完善|添加|添|增加|加|新增|增|补|支持|实现|更新|升级|迁移|重命名|重构|创建|新建|编写|写|替换|换|删|去掉|移除|拆|提取|抽取|做|弄|搞';

/** A clause that asks for a change by its first verb. "让" and its like make something so: "让测试通过". */
const startsChange = new RegExp(
  String.raw`^(?:(?:then|and|also|now|just|simply|please|you should|we need to|we should)\s+)*(?:(?:${englishVerbs})\b|get\b.*\b(?:pass|passing|green|work|working)\b)` +
    `|^(?:再|然后|接着|并|且|也|顺便|同时|直接|先|需要|请)*(?:(?:${chineseVerbs})|(?:让|使|令|确保|保证)(?!我)|(?:把|将|给|对|为)[^,，。]{0,40}?(?:${chineseVerbs}))`,
  'i',
);
const question =
  /^(?:just\s+|only\s+|first\s+|so\s+)*(?:what|why|how|where|which|who|when|should|does|do|did|is|are|was|were|has|have|can|could|explain|describe|summari[sz]e|outline|compare|review|analy[sz]e|list|show|tell|give|find out|walk me|understand|i (?:want|would like|need) to (?:know|understand)|i wonder)\b|^(?:先|再|只|仅|只需|给我|请问|我想知道)*(?:什么|为什么|为何|为啥|怎么|怎样|如何|哪|谁|是否|有没有|请问|我想知道|解释|说明|描述|总结|概述|概括|介绍|分析|列出|列举|告诉|讲|说说|看看|查看|比较|对比)|为什么|为啥|怎么回事|(?:是什么|做什么|干什么|什么意思)[。.]?\s*$/i;
const asking = /(?:[?？]|吗[?？。.]?|呢[?？。.]?)\s*$/;
const run =
  /^(?:(?:just|only|please)\s+)*(?:run|rerun|execute|start|launch)\b|^(?:再|先|只|重新)*(?:运行|执行|跑|启动)|^(?:把|将)[^,，。]{0,20}(?:跑|运行|执行)/i;
const change = new RegExp(String.raw`\b(?:${englishVerbs})\b|挂了|(?:${chineseVerbs})|让`, 'i');

const howTo = /\bhow (?:to|do|does|can|could|should|would)\b|如何|怎么|怎样/i;
const pauses = /[,，;；、]|\bthen\b|然后|接着/i;
const pausesAndAnds = /[,，;；、]|\b(?:then|and)\b|然后|接着|(?<!合)并且?/i;

/** What one sentence asks for, by rules; undefined when none of them knows it. */
export function classifySentence(sentence: string): TaskKind | undefined {
  const { text, isRequest } = withoutCourtesy(sentence);
  if (asking.test(text) && !isRequest) return 'answer';
  const clauses = text.split(howTo.test(text) ? pauses : pausesAndAnds).map((clause) => clause.trim());
  if (clauses.some((clause) => startsChange.test(clause))) return 'change';
  if (question.test(text)) return 'answer';
  if (clauses.some((clause) => run.test(clause))) return 'run';
  if (clauses.some((clause) => question.test(clause))) return 'answer';
  return change.test(text) ? 'change' : undefined;
}

/** What stands before the first word when something was left out there. */
const remains = /^[\s,，;；、。.:：!！]*(?:(?:but|and)\b|但是?)?[\s,，]*/i;
const greeting = /^(?:(?:hi|hello|hey)\b|你好|您好)[\s,，!！]*/i;
const englishCourtesy =
  /^(?:please|kindly|(?:can|could|would|will) (?:you|we)(?: please| kindly)?|i(?:'d| would) like you to|i (?:want|need) you to|help me(?: to)?)[\s,]+/i;
const chineseCourtesy =
  /^(?:(?:麻烦|劳烦|烦请|劳驾|请(?!问))(?:你|您)?|(?:你|您)?(?:能不能|能否|可不可以|可否|可以|能)(?:请|帮我|帮)?|我(?:想要?|要|希望)让?(?:你|您)|帮我|帮忙|帮|替我|给我)(?:一下)?[\s,，]*/;
const chineseTail = /[,，\s]*(?:好吗|可以吗|行吗|好不好|行不行|可以不|吧|谢谢)[。.!！?？\s]*$/;

/** "Could you please fix it?" asks for a change, though it reads like a question. */
function withoutCourtesy(sentence: string): { readonly text: string; readonly isRequest: boolean } {
  let text = sentence.replace(remains, '').replace(greeting, '').trim();
  let isRequest = chineseTail.test(text);
  text = text.replace(chineseTail, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(englishCourtesy, '').replace(chineseCourtesy, '').replace(remains, '').trim();
    isRequest ||= before !== text;
  }
  return { text, isRequest };
}
