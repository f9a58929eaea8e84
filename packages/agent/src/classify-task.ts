import type { TaskKind } from '@capstan/contracts';
import { sentencesOf } from './sentences.ts';

const question =
  /^(what|why|how|where|which|who|when|does|do|is|are|can|could|explain|describe|summari[sz]e|list|show|tell|find out)\b|[?？]\s*$|^(什么|为什么|怎么|怎样|如何|哪|谁|是否|解释|说明|描述|总结|列出)|吗[?？。]?\s*$/i;
const change =
  /\b(fix|repair|make|add|implement|change|update|rename|remove|delete|refactor|create|write|replace|correct|improve|convert|move|support|handle|upgrade|port)\b|修|挂了|添加|增加|实现|更新|重命名|删除|重构|创建|编写|替换|改进|改成|让/i;
const run = /^(please\s+)?(run|execute|start|launch)\b|^请?(运行|执行|跑|启动)/i;

/** What kind of task a text is, by rules, in English and Chinese: a sentence that asks for a change decides. */
export function classifyTask(text: string): TaskKind {
  const kinds = sentencesOf(text).map(classifySentence);
  if (kinds.includes('change')) return 'change';
  if (kinds.includes('run')) return 'run';
  return kinds.includes('answer') ? 'answer' : 'change';
}

function classifySentence(sentence: string): TaskKind | undefined {
  if (question.test(sentence)) return 'answer';
  if (change.test(sentence)) return 'change';
  return run.test(sentence) ? 'run' : undefined;
}

const tests = /\b(tests?|specs?|suites?|ci|checks?)\b|测试|用例|测例/i;
const failing =
  /\bfail|\bbroken\b|\bred\b|\bmake\b.*\b(pass|green)\b|\bget\b.*\b(pass|green)|失败|(不|未|没有?|没能)通过|(让|使).*通过|报错|变绿|修好|挂(了|掉)|跑不过/i;
const repairing =
  /\b(fix|repair|debug|bugs?|defects?|regressions?|broken|crash(es)?|wrong|incorrect)\b|修复|修正|修好|修(理|一下|一修|下)|缺陷|错误|漏洞|改正/i;

/** Does the task ask to make failing tests pass? Then there is nothing to do where none fails. */
export function isAboutFailingTests(text: string): boolean {
  return tests.test(text) && failing.test(text);
}

/** Could repair by tests be what the task asks for? */
export function isAboutRepair(text: string): boolean {
  return isAboutFailingTests(text) || repairing.test(text);
}

const words =
  /\b(typos?|spelling|wording|readme|changelog|docs?|documentation|comments?|layout|styles?|styling|css|colou?rs?|formatting|lint|translations?)\b|错别字|拼写|措辞|文档|注释|布局|样式|格式|颜色|翻译/i;
const otherWork =
  /(^|[,;:]\s*|\b(and|then|also|please)\s+)(add|implement|rename|refactor|create|write|document|upgrade|port|migrate)\b|(^|[，,；;]|并且?|然后|再|同时|顺便|还要?)[^，,。；]{0,2}(添加|增加|新增|实现|重命名|重构|创建|编写|升级|迁移)/i;

/** Is all of the task something that tests can guide? Words, looks and new features need somebody who understands them. */
export function canBeDoneByTests(text: string): boolean {
  if (!isAboutRepair(text) || sentencesOf(text).some((sentence) => otherWork.test(sentence))) return false;
  return tests.test(text) || !words.test(text);
}
