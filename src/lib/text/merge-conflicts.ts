// The conflicts that git leaves in a file: `<<<<<<<`, `=======` and `>>>>>>>`, each at the start of a line. Linear in the
// text.

export interface MergeConflict {
  /** Lines of the file, from 1. */
  first: number;
  last: number;
  text: string;
}

const START = /^<{7}(?: |$)/;
const MIDDLE = /^={7}$/;
const END = /^>{7}(?: |$)/;

/** Whole conflicts only: a line of seven signs alone may be a heading. In JSON also those inside a text of one line. */
export function* findConflicts(file: string, isJson: boolean): Generator<MergeConflict> {
  if (!file.includes('<<<<<<<')) return;
  let open: { first: number; lines: string[]; isHalf: boolean } | undefined;
  for (const [index, fileLine] of file.split('\n').entries()) {
    for (const line of isJson ? textLines(fileLine) : [fileLine.replace(/\r$/, '')]) {
      if (START.test(line)) open = { first: index + 1, lines: [], isHalf: true };
      if (!open) continue;
      open.lines.push(line);
      if (MIDDLE.test(line)) open.isHalf = false;
      else if (END.test(line) && !open.isHalf) {
        yield { first: open.first, last: index + 1, text: open.lines.join('\n') };
        open = undefined;
      }
    }
  }
}

/** The lines of the text in one line of JSON, without the key before it and the quote behind it. */
function textLines(line: string): string[] {
  const text = line.replace(/\r$/, '').replace(/\\(.)/g, (pair, name) => (name === 'n' ? '\n' : pair));
  const [first = '', ...more] = text.replace(/",?$/, '').split('\n');
  return [first.replace(/^\s*(?:"[^"]*":\s*)?"/, ''), ...more];
}
