// Pieces of Markdown that html-to-markdown.ts puts together.

/** A text in which no character means anything to Markdown. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*~[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[A-Za-z/!?])|&(?=#?\w+;)/gu, '\\$&')
    .replace(/\n([-+>#=]|\d+[.)])/g, '\n\\$1');
}

/** Spaces at the ends go outside: a mark beside a space is a character. */
export function wrapInline(text: string, mark: string): string {
  const inner = text.trim();
  if (inner === '') return text;
  const at = text.indexOf(inner);
  return `${text.slice(0, at)}${mark}${inner}${mark}${text.slice(at + inner.length)}`;
}

export function inlineCode(text: string): string {
  if (text.trim() === '') return text;
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const ticks = '`'.repeat(longest + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** A link, or with `!` an image; the text alone if there is no address, or one that runs a program. */
export function link(kind: '' | '!', text: string, address: string | undefined, title: string | undefined): string {
  const to = address?.trim().replace(/[\t\r\n]+/g, '') ?? '';
  if (to === '' || /^(javascript|vbscript|data):/i.test(to)) return kind === '' ? text : '';
  const label = kind === '' ? text.trim() : text.replace(/[\\[\]]/g, '\\$&').replace(/\s+/g, ' ');
  if (kind === '' && label === '') return '';
  const target = /[\s()<>]/.test(to) ? `<${to.replace(/[<>]/g, (sign) => (sign === '<' ? '%3C' : '%3E'))}>` : to;
  const quoted = title?.trim() ? ` "${title.trim().replace(/\s+/g, ' ').replace(/[\\"]/g, '\\$&')}"` : '';
  return `${kind}[${label}](${target}${quoted})`;
}

/** `first` before the first line, `others` before the rest; blank lines get no spaces at their end. */
export function prefixLines(text: string, first: string, others: string): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : (others + line).trimEnd()))
    .join('\n');
}
