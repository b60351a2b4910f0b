// The text that a reader sees in HTML: without tags, comments, styles and scripts, with character references resolved.
// One pass without backtracking, because the text is untrusted.

/** Elements that do not end a word: `<b>W</b>ord` is one word, `<td>a</td><td>b</td>` are two. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
);
const HIDDEN = new Set(['script', 'style', 'template']);
const REFERENCES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  shy: '\u00ad',
};
const TAG_MAX_LENGTH = 5_000;

/** The visible text of a piece of HTML. */
export function htmlText(html: string): string {
  let text = '';
  let position = 0;
  while (position < html.length) {
    const start = html.indexOf('<', position);
    if (start === -1) break;
    text += html.slice(position, start);
    const tag = readTag(html, start);
    if (!tag) {
      text += '<';
      position = start + 1;
      continue;
    }
    if (!INLINE.has(tag.name)) text += ' ';
    position = HIDDEN.has(tag.name) && !tag.closing ? endOfElement(html, tag) : tag.end;
  }
  return decodeReferences(text + html.slice(position))
    .replace(/[ \t\r\n]+/g, ' ')
    .trim();
}

export interface Tag {
  name: string;
  closing: boolean;
  /** Index at which the text continues. */
  end: number;
}

/** The tag or comment that starts here; undefined if `<` is only a character. */
export function readTag(text: string, start: number): Tag | undefined {
  if (text.startsWith('<!--', start)) {
    const end = text.indexOf('-->', start + 4);
    return { name: '!', closing: false, end: end === -1 ? text.length : end + 3 };
  }
  const name = /^<(\/?)([a-zA-Z][a-zA-Z0-9-]{0,40}|[!?])/.exec(text.slice(start, start + 44));
  if (!name) return undefined;
  let quote = '';
  const limit = Math.min(text.length, start + TAG_MAX_LENGTH);
  for (let index = start + name[0].length; index < limit; index++) {
    const character = text[index]!;
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return { name: name[2]!.toLowerCase(), closing: name[1] === '/', end: index + 1 };
    else if (character === '<') return undefined;
  }
  return undefined;
}

function endOfElement(html: string, tag: Tag): number {
  const end = html.slice(tag.end).search(new RegExp(`</${tag.name}`, 'i'));
  return end === -1 ? html.length : tag.end + end;
}

/** Resolves numeric references and the few named ones that editors write. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
    if (name) return REFERENCES[name] ?? whole;
    const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}
