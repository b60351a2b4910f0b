// The texts between the tags of HTML. Tags, comments and what is inside of code, scripts and styles stay.
import { hasMarkBrackets, hasWords, splitSpace, type TextMap } from './text-map.ts';

const TAG = /<[^<>]*>/y;
const OPAQUE = /^<(\/?)(script|style|pre|code|textarea|svg)\b/i;

export function mapHtml(html: string, path: string, texts: TextMap): string {
  let inside: string | undefined;
  return splitTags(html)
    .map((part, at) => {
      const isTag = at % 2 === 1;
      if (!isTag) return inside === undefined ? mapText(part, path, texts) : part;
      const [, slash, name = ''] = OPAQUE.exec(part) ?? [];
      if (inside === undefined && slash === '') inside = name.toLowerCase();
      else if (slash === '/' && inside === name.toLowerCase()) inside = undefined;
      return part;
    })
    .join('');
}

function mapText(text: string, path: string, texts: TextMap): string {
  const { before, inner, after } = splitSpace(text);
  if (!hasWords(inner)) return text;
  const answer = hasMarkBrackets(inner) ? undefined : texts.map({ path, text: inner.replace(/\s+/g, ' '), marks: [] });
  if (answer === undefined) return text;
  const line = answer.replace(/\s+/g, ' ').trim();
  if (line !== '' && anglesIn(line) === anglesIn(inner) && !hasMarkBrackets(line)) return `${before}${line}${after}`;
  texts.keep(path, 'a text in HTML was left as it is, because the answer is empty or has tags');
  return text;
}

function anglesIn(text: string): string {
  return text.replace(/[^<>]/g, '');
}

/** What must be the same in a translation. */
export function tagsOf(html: string): string {
  return splitTags(html)
    .filter((_, at) => at % 2 === 1)
    .join('');
}

/** Texts, with the tags and comments between them: the first, the third and so on are texts. */
function splitTags(html: string): string[] {
  const parts: string[] = [];
  let from = 0;
  // A rule for comments would look for the missing end at each beginning.
  const lastEnd = html.lastIndexOf('-->');
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const end = endOfTag(html, at, lastEnd);
    if (end === undefined) at++;
    else {
      parts.push(html.slice(from, at), html.slice(at, end));
      from = at = end;
    }
  }
  parts.push(html.slice(from));
  return parts;
}

function endOfTag(html: string, at: number, lastEnd: number): number | undefined {
  if (at + 4 <= lastEnd && html.startsWith('<!--', at)) return html.indexOf('-->', at + 4) + 3;
  TAG.lastIndex = at;
  return TAG.test(html) ? TAG.lastIndex : undefined;
}
