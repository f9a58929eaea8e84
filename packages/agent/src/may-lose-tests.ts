import { isAboutFailingTests } from './classify-task.ts';
import { sentencesOf } from './sentences.ts';

const verb = '(?:remove|delete|drop|rename|move|replace|rewrite|convert|migrate|get rid of)';
/** Only where a clause begins: "add a delete button" deletes nothing. */
const clause = String.raw`(?:^|[,;:，：]\s*|\b(?:and|then|please|to|or|should|must|you|also|just|now)\s+)`;
const harmless = String.raw`(?!\s+(?:the|this|that|a|an|all|any|every)?\s*(?:bugs?|errors?|warnings?|defects?|crash(?:es)?|failures?|regressions?)\b)`;
const anything = new RegExp(`${clause}${verb}\\b${harmless}`, 'i');
const testsThemselves = new RegExp(`${clause}${verb}\\b(?:\\s+[\\w-]+){0,3}?\\s+(?:tests?|specs?|suites?)\\b`, 'i');

const chineseVerb = '(?:删除|删掉|移除|去掉|去除|重命名|改名|移动|迁移|替换|换成|重写|改写)';
const chineseClause = '(?<!(?:不要|不能|不得|不许|不|别|勿|禁止|避免|添加|增加|新增|实现|支持)[^，,。；]{0,3})';
const anythingChinese = new RegExp(`${chineseClause}${chineseVerb}(?![^，。]{0,4}(?:错误|缺陷|漏洞|警告|bug))`, 'i');
const testsChinese = new RegExp(
  `${chineseClause}(?:${chineseVerb}[^，,。；]{0,8}(?:测试|用例)|(?:测试|用例)[^，,。；]{0,6}${chineseVerb})`,
);

const negated = /\b(?:not|never|without|avoid|don't|cannot|can't)\b[^,;:]*$/i;

/**
 * Does the task ask for work after which tests may be gone: to remove, rename, move, replace or rewrite something? Where
 * the task is to make failing tests pass, only when the tests themselves are to go. By rules, in English and Chinese.
 */
export function mayLoseTests(text: string): boolean {
  const rules = isAboutFailingTests(text) ? [testsThemselves, testsChinese] : [anything, anythingChinese];
  return sentencesOf(text).some((sentence) =>
    rules.some((rule) => {
      const match = rule.exec(sentence);
      return match !== null && !negated.test(sentence.slice(0, match.index + match[0].search(/\w/)));
    }),
  );
}
