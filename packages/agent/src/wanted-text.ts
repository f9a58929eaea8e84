import { foldChinese } from './fold-chinese.ts';

const acts =
  'fix|repair|chang|modif|edit|touch|alter|writ|add|remov|delet|refactor|renam|run|execut|appl|mak|creat|implement|updat|try|resolv|patch|start';
/** "do not fix it", "without changing the tests": up to the end of the clause. "Tests that do not pass" stays. */
const notInEnglish = new RegExp(
  String.raw`\bno (?:fix(?:es)?|changes?|edits?|modifications?)\b|\b(?:do not|don't|dont|never|must not|mustn't|should not|shouldn't|not to|no need to|without|rather than|instead of)\s+(?:(?:try|attempt|want|need|ever|even|please|also|just|yet|actually|you)\s+(?:to\s+)?){0,2}(?:${acts})\w*[^.,;:!?，。；：！？\n]*`,
  'gi',
);
/** "不要修复", "别改测试"; 特别, 分别 and their like are other words. A condition ("的前提下") ends it. */
const notInChinese =
  /(?:请|先|都|也|但是?){0,3}(?:不要|不用|不必|不需要|无需|无须|勿|(?<![特分个区类级识性差告])别|不许|不准|不得|(?<![能可])不(?:能|可以?|(?=修复|修改|改动)))(?:再|去|直接|先|随意|随便|擅自|尝试|试图|着手|动手|对[^,，。；;：:！!？?\n]{0,12}?(?:做|进行)?)?(?:修|改|动|加|添|新增|增加|删|写|重构|重命名|运行|执行|跑|碰|实现|创建|建立|更新|替换|做)[^,，。；;：:！!？?\n]*?(?=的?(?:前提|情况|条件|同时)|[,，。；;：:！!？?\n]|$)/g;

/** What a task asks for: in simplified characters, without what it says is not to be done. */
export function wantedText(text: string): string {
  return foldChinese(text).replaceAll(notInEnglish, ' ').replaceAll(notInChinese, ' ');
}
