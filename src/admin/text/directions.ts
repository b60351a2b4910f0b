// Marks that change the direction of writing end with the text that they stand in. One that is left open would turn
// around what stands beside it, also around the isolation of a `bdi`: the figures below an agent's name, a sentence.

const MARKS = /[\u202a-\u202e\u2066-\u2069]/;
const EACH = /[\u202a-\u202e\u2066-\u2069]|\n/g;
const [POP, POP_ISOLATE] = ['\u202c', '\u2069'];
const ISOLATES = '\u2066\u2067\u2068';

/** The text with every mark closed, and without those that close none (UAX #9). Most texts have none. */
export function closeDirections(text: string): string {
  if (!MARKS.test(text)) return text;
  /** What closes those that are open, the innermost last. */
  let open: string[] = [];
  const end = (): string => open.splice(0).reverse().join('');
  const closed = text.replace(EACH, (mark) => {
    if (mark === '\n') return end() + mark;
    if (mark !== POP && mark !== POP_ISOLATE) {
      open.push(ISOLATES.includes(mark) ? POP_ISOLATE : POP);
      return mark;
    }
    if (mark === POP) return open.at(-1) === POP ? open.pop()! : '';
    const at = open.lastIndexOf(POP_ISOLATE);
    if (at < 0) return '';
    const inner = open.slice(at).reverse().join('');
    open = open.slice(0, at);
    return inner;
  });
  return closed + end();
}
