/** A piece of a file that gets a vector of its own. */
export interface Passage {
  /** 1-based line on which it starts. */
  readonly line: number;
  readonly text: string;
}

/** Small enough for every embedding model. UTF-16 units. */
const longestPassage = 1_500;
/** Of a longer file, the beginning has vectors: it says what the file is for. */
const mostPassages = 12;

/** Cuts a text at line ends into passages of some forty lines. The path stands before each one: it says what it belongs to. */
export function cutPassages(path: string, text: string): Passage[] {
  const passages: Passage[] = [];
  let [line, start, body] = [1, 1, ''];
  const close = () => {
    if (body.trim() !== '') passages.push({ line: start, text: `${path}\n${body}` });
    body = '';
    start = line;
  };
  for (const content of text.split('\n')) {
    if (passages.length >= mostPassages) return passages;
    if (body.length + content.length > longestPassage) close();
    body += `${content.slice(0, longestPassage).toWellFormed()}\n`;
    line += 1;
  }
  close();
  return passages.slice(0, mostPassages);
}
