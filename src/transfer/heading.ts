// The first heading of a Markdown text, as plain text: the title of a file that has no front matter.

/** Either form of heading; a line in a code block is not a heading. */
export function findHeading(body: string): string | undefined {
  let fence: string | undefined;
  let previous = '';
  for (const line of body.split('\n')) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (marker?.startsWith(fence) && line.trim() === marker) fence = undefined;
      continue;
    }
    if (marker) fence = marker;
    const hashes = /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line);
    const text = hashes
      ? (hashes[1] as string).replace(/(^|[ \t])#+[ \t]*$/, '')
      : /^ {0,3}(=+|-+)[ \t]*$/.test(line) && isParagraph(previous)
        ? previous
        : '';
    const plain = toPlainText(text);
    if (plain) return plain;
    previous = line;
  }
  return undefined;
}

/** A line that an underline can turn into a heading: not a list, a quote, a table or a rule. */
function isParagraph(line: string): boolean {
  return /^ {0,3}[^\s>|#`~*+=-]/.test(line) && !/^ {0,3}\d+[.)] /.test(line);
}

function toPlainText(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|`)(.+?)\1/g, '$2')
    .replace(/(?<!\\)\*(.+?)(?<!\\)\*/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim();
}
