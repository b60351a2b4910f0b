// The texts between the tags of HTML. Tags, comments and what is inside of code, scripts and styles stay.
import { hasMarkBrackets, hasWords, splitSpace, type TextMap } from './text-map.ts';

const TAG = /(<!--[\s\S]*?-->|<[^<>]*>)/;
const OPAQUE = /^<(\/?)(script|style|pre|code|textarea|svg)\b/i;

export function mapHtml(html: string, path: string, texts: TextMap): string {
  let inside: string | undefined;
  return html
    .split(TAG)
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
  return html
    .split(TAG)
    .filter((_, at) => at % 2 === 1)
    .join('');
}
