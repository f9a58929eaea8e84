/** Traditional characters of the words by which tasks are told apart, each before its simplified form. */
const pairs =
  '復复測测試试運运執执啟启動动為为麼么嗎吗釋释說说總总結结現现創创刪删構构編编寫写換换進进讓让敗败過过沒没報报錯错變变綠绿紅红' +
  '誤误檔档註注佈布樣样顏颜譯译並并後后時时順顺還还掛挂請请幫帮單单個个無无須须別别準准許许壞坏檢检查查問问題题處处調调優优' +
  '補补級级遷迁導导產产給给將将從从這这裡里裏里實实驗验條条確确證证決决與与關关開开閉闭應应該该輸输誰谁們们會会來来對对發发項项' +
  '類类務务達达連连錄录載载滿满轉转糾纠設设認认識识介介紹绍描描述述講讲煩烦勞劳';

const characters = [...pairs];
const simplified = new Map(
  characters.flatMap((character, at) => (at % 2 === 0 ? [[character, characters[at + 1] ?? character] as const] : [])),
);

/** The same text in simplified characters, as far as the rules for tasks need it, and with plain apostrophes. */
export function foldChinese(text: string): string {
  return [...text]
    .map((character) => simplified.get(character) ?? character)
    .join('')
    .replaceAll('’', "'");
}
