import type { CheckReport, ToolCall } from '@capstan/contracts';
import { deedOf } from './declared-tools.ts';
import { sentencesOf } from './sentences.ts';

/** A sentence of the model that says that something was done or is so, and whether the record bears it out. */
export interface Claim {
  readonly sentence: string;
  readonly supported: boolean;
}

type Deed = 'edit' | 'run' | 'read' | 'pass';

const patterns: Readonly<Record<Deed, RegExp>> = {
  edit: /\b(edited|fixed|changed|updated|modified|added|removed|renamed|replaced|corrected|implemented|refactored|rewrote|rewritten|created|deleted|wrote|written|adjusted|patched|repaired|inserted)\b|(已经?|成功)(修改|修复|修正|更新|添加|增加|删除|移除|创建|重命名|替换|实现|改正|编辑|重构)|(修改|修复|修正|更新|添加|增加|删除|移除|创建|重命名|替换|实现|改正|编辑|重构|修好|改好|改)(了|完成|完毕)/gi,
  run: /\b(ran|re-?ran|executed|tested|verified)\b|(已经?|重新)(运行|执行|测试|验证)|(运行|执行|跑|测试|验证)(了|过|完)/gi,
  read: /\b(inspected|reviewed|examined|searched|looked at|looked through|analy[sz]ed)\b|(阅读|查看|检查|搜索|分析|看)(了|过)/gi,
  pass: /\b(tests?|checks?|suites?|everything)\b[^.;]*\b(pass(es|ed|ing)?|green|succeed(s|ed)?)\b|(测试|用例|检查)[^。；]*(通过|全绿)/gi,
};

/** Words directly before a verb that take the claim back. */
const negatedBefore =
  /(\bnot|n't|\bnever|\bnothing|\bno|\bnone|\bwithout|\bwill|\bwould|\bshould|\bcould|\bmust|\bcan|\bcannot|\bmay|\bmight|\bto be|\bif|\bunless|\bonce|\bwhen)(\s+[\w-]+){0,3}\s*$|(没有?|未|不|无需|需要|应该|应当|可以|尚未|如果|将|请|还没)[^，,]{0,3}$/i;
const failureInside = /\bnot\b|n't\b|\bfail|\bno\b|未|没有?|不通过|失败/i;

const pathLike = /[\w@./-]*[\w-]\.[a-z]{1,5}\b/gi;

/**
 * Checks what a model says against what was really done (requirement A4): a sentence that says that something was edited,
 * run or looked at must match a successful call of that kind, on the file that it names; one that says that tests pass must
 * match the last reports. English and Chinese. Calls are only counted, never read out of the text.
 */
export function checkClaims(text: string, calls: readonly ToolCall[], after: readonly CheckReport[]): Claim[] {
  return sentencesOf(text).flatMap((sentence) => {
    const deeds = deedsOf(sentence);
    if (deeds.length === 0) return [];
    return [{ sentence, supported: deeds.every((deed) => isBorneOut(deed, sentence, calls, after)) }];
  });
}

function deedsOf(sentence: string): Deed[] {
  return (Object.keys(patterns) as Deed[]).filter((deed) => {
    if (deed === 'pass' && failureInside.test(sentence)) return false;
    return [...sentence.matchAll(patterns[deed])].some((match) => !negatedBefore.test(sentence.slice(0, match.index)));
  });
}

function isBorneOut(deed: Deed, sentence: string, calls: readonly ToolCall[], after: readonly CheckReport[]): boolean {
  if (deed === 'pass') return after.length > 0 && after.every((report) => report.outcome === 'passed');
  const matching = calls.filter(
    (call) => deed === deedOf(call.name) || (deed === 'read' && deedOf(call.name) !== 'edit'),
  );
  if (deed !== 'edit') return matching.length > 0;
  const touched = JSON.stringify(matching.map((call) => call.arguments));
  const named = sentence.match(pathLike)?.filter((path) => /[/]|\.(\w{1,4})$/.test(path)) ?? [];
  // A sentence may name several files; it is borne out when at least one of them was edited and none is made up wholly.
  return (
    matching.length > 0 && (named.length === 0 || named.some((path) => touched.includes(path.replace(/^\.\//, ''))))
  );
}
