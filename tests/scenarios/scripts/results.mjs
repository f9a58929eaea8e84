/** Texts of the tool results so far, oldest first. */
export function toolTexts(messages) {
  return messages.filter((message) => message.role === 'tool').map((message) => textOf(message.content));
}

/** All text of the conversation's first user message: the task. */
export function taskText(messages) {
  return textOf(messages.find((message) => message.role === 'user')?.content ?? '');
}

/** A line of the results that matches, or an error that shows what came instead. */
export function findLine(texts, pattern) {
  const lines = texts.join('\n').split('\n');
  const line = lines.find((candidate) => pattern.test(candidate));
  if (line === undefined) throw new Error(`no line like ${pattern} in:\n${lines.slice(0, 80).join('\n')}`);
  return line.trim();
}

function textOf(content) {
  if (typeof content === 'string') return content;
  return content.map((part) => part.text ?? '').join('\n');
}
