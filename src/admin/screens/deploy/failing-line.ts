// Finds in the log of a deploy what made it fail. Pure.

/** Lines of the service begin with the time; all others are the build's own. */
const OWN = /^\[\d\d:\d\d:\d\d\] /;
const END = /^\[\d\d:\d\d:\d\d\] (failed|refused): /;
const CAUSE = /\b(?:error|failed|failure|exception|cannot|could not|not found|no such|undefined|denied|refused)\b|✖|✘/i;

export interface FailingLine {
  text: string;
  /** Index of its beginning in the log. */
  at: number;
}

/**
 * The first line of the build that sounds like a cause, among those right before the service says "failed"; or else what
 * the service says itself. Undefined if nothing failed.
 */
export function findFailingLine(log: string): FailingLine | undefined {
  const lines = toLines(log);
  const end = lines.findLastIndex(({ text }) => END.test(text));
  if (end < 0) return undefined;
  // "refused" lines come before the one that sums them up.
  let first = end;
  while (first > 0 && END.test(lines[first - 1]!.text)) first--;
  let begin = first;
  while (begin > 0 && !OWN.test(lines[begin - 1]!.text)) begin--;
  const cause = lines.slice(begin, first).find(({ text }) => CAUSE.test(text));
  return cause ?? lines[first];
}

function toLines(log: string): FailingLine[] {
  let at = 0;
  return log.split('\n').map((text) => {
    const line = { text, at };
    at += text.length + 1;
    return line;
  });
}
