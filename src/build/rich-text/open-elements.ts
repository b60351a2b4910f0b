// Follows which elements the HTML in a text has opened and not closed yet. What is between two blocks of Markdown at
// which nothing is open can be sanitised by itself, and a block without HTML not at all.

/** Elements without an end. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** What a parser reads as text up to their end, or as another language. */
const RAW = new Set(
  'iframe listing math noembed noframes noscript plaintext script style svg template textarea title xmp'.split(' '),
);

const ATTRIBUTE = /\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'`=<>]+))?/.source;
const TAG = new RegExp(`<(/?)([a-z][a-z0-9-]*)(?:${ATTRIBUTE})*\\s*>`, 'gi');

export interface OpenElements {
  /** HTML as it stands in the text: one tag, or several lines. */
  read(html: string): void;
  isAnyOpen(): boolean;
}

export function createOpenElements(): OpenElements {
  const open: string[] = [];
  /** How many of each name are among them. */
  const counts = new Map<string, number>();
  const count = (name: string, by: number): void => void counts.set(name, (counts.get(name) ?? 0) + by);
  /** Something that parsers may read in another way than this: nothing after it stands by itself. */
  let isUnclear = false;
  return {
    read(html) {
      if (isUnclear) return;
      const rest = withoutComments(html).replace(TAG, (_, end: string, written: string) => {
        const name = written.toLowerCase();
        if (RAW.has(name)) isUnclear = true;
        else if (end === '') {
          if (VOID.has(name)) return '';
          open.push(name);
          count(name, 1);
        } else if (open.at(-1) === name) {
          open.pop();
          count(name, -1);
        } else if (counts.get(name)) isUnclear = true;
        return '';
      });
      if (/<[a-z!/?]/i.test(rest)) isUnclear = true;
    },
    isAnyOpen: () => isUnclear || open.length > 0,
  };
}

/** A comment that does not end stays. So do `<!-->` and its like, which parsers read in different ways. */
function withoutComments(html: string): string {
  let rest = '';
  let from = 0;
  for (let start = html.indexOf('<!--'); start >= 0; start = html.indexOf('<!--', from)) {
    const end = html.indexOf('--', start + 4);
    if (end < 0 || html[end + 2] !== '>' || /^-?>/.test(html.slice(start + 4, start + 6))) break;
    rest += html.slice(from, start);
    from = end + 3;
  }
  return rest + html.slice(from);
}
