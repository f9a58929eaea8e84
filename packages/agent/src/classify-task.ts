import type { TaskKind } from '@capstan/contracts';
import { classifySentence } from './classify-sentence.ts';
import { sentencesOf } from './sentences.ts';
import { wantedText } from './wanted-text.ts';

/** Words that ask for nothing by themselves. */
const fillers = /\b(?:please|but|and|just|thanks?|thank you)\b|请|但是?|并|先|谢谢|吧/gi;

/**
 * What kind of task a text is, by rules, in English and Chinese (simplified and traditional): a sentence that asks for a
 * change decides. What is not to be done counts as not asked for; with nothing else in it, nothing is to be changed.
 */
export function classifyTask(text: string): TaskKind {
  const wanted = wantedText(text);
  if (!/[\p{L}\p{N}]/u.test(wanted.replaceAll(fillers, ''))) return 'answer';
  const kinds = sentencesOf(wanted).map(classifySentence);
  if (kinds.includes('change')) return 'change';
  if (kinds.includes('run')) return 'run';
  return kinds.includes('answer') ? 'answer' : 'change';
}

const tests = /\b(tests?|specs?|suites?|ci|checks?)\b|测试|用例|测例|单测/i;
const failing =
  /\bfail|\bbroken\b|\bred\b|\bcrash|\b(make|get|turn|bring|have)\b.*\b(pass|passing|green|work|working)\b|(n't|\bnot|\bnever|\bno longer)\b[^.!?]*\bpass|失败|(不|未|没有?|没能|无法)能?通过|(让|使|令|直到|直至|确保|保证|把).*(通过|跑通|变绿|全绿|弄绿)|报错|出错|变绿|全绿|飘红|[红挂崩]了|红的|挂掉|修好|跑不[过通]|过不[了去]|(测试|用例|测例|单测)[^,，。]{0,6}[没不]过/i;
const repairing =
  /\b(fix|repair|debug|unbreak|bugs?|defects?|regressions?|broken|crash(es)?|wrong|incorrect|off-by-one|misbehav\w*)\b|修复|修正|修好|修(理|补|掉|一下|一修|下)|缺陷|错误(?!处理|信息|消息|提示|码)|漏洞|改正|纠正|纠错|排错|崩溃|(解决|处理|搞定|排查).*(问题|错误|失败|报错)|(问题|错误|失败|报错).*(解决|搞定)/i;

/** Does the task ask to make failing tests pass? Then there is nothing to do where none fails. */
export function isAboutFailingTests(text: string): boolean {
  const wanted = wantedText(text);
  return tests.test(wanted) && failing.test(wanted);
}

/** Could repair by tests be what the task asks for? */
export function isAboutRepair(text: string): boolean {
  return isAboutFailingTests(text) || repairing.test(wantedText(text));
}

const words =
  /\b(typos?|spelling|wording|readme|changelog|docs?|documentation|comments?|layout|styles?|styling|css|colou?rs?|formatting|lint|translations?)\b|错别字|拼写|措辞|文档|注释|布局|样式|格式|颜色|翻译/i;
const otherWork =
  /(^|[,;:]\s*|\b(and|then|also|please)\s+)(add|implement|rename|refactor|create|write|document|upgrade|port|migrate)\b|(^|[，,；;]|(?<!合)并且?|然后|再|同时|顺便|还要?)[^，,。；]{0,2}(添加|增加|新增|实现|重命名|重构|创建|编写|升级|迁移)/i;

/** Is all of the task something that tests can guide? Words, looks and new features need somebody who understands them. */
export function canBeDoneByTests(text: string): boolean {
  const wanted = wantedText(text);
  if (!isAboutRepair(text) || sentencesOf(wanted).some((sentence) => otherWork.test(sentence))) return false;
  return tests.test(wanted) || !words.test(wanted);
}
