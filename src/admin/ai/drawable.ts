// Which Markdown of a model is worth reading as such. A model may write anything: what nests without end would take the
// screen with it, and what has marks without end takes its reader seconds. Pure.

/** No answer that is written for people has more. */
const MAX_MARKS = 5000;
/** Levels of quotes and lists in one line, and columns before a line begins. */
const DEEP = /^(?:(?:[ \t]*(?:>|[*+-][ \t]|\d+[.)][ \t])){20}|[ \t]{80})/m;

/** What is not is shown as it is written. */
export function isDrawable(text: string): boolean {
  return !DEEP.test(text) && (text.match(/[*_~`[]/g)?.length ?? 0) <= MAX_MARKS;
}
