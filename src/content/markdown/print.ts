// A document as Markdown: front matter, and below it the text of one field (decisions.md, section 14). Parsing the
// result gives the same document, for every value that JSON has. Pure.
import { DOCUMENT_KEYS, type StoredDocument } from '../document.ts';
import { isBlock, isLongKey, isPlain, quote, toKey, toNumber } from './scalar.ts';

/** Top-level keys of the front matter that are not the data's. */
export const OWN_KEYS: readonly string[] = ['_document', '_fieldMeta'];
/** The place names them; they are not repeated in the file. */
const NAMED_BY_PATH: ReadonlySet<string> = new Set(['slug', 'collection']);
/** Characters that do not stay below the front matter: line ends would change, and git would see a binary file. */
const NOT_BELOW = /[\x00-\x08\x0b-\x1f]/;

/** `textField` is the field whose text is below the front matter, if it can be. */
export function printMarkdown(doc: StoredDocument, textField: string | undefined): string {
  const { front, text } = toMarkdownParts(doc, textField);
  return `---\n${printFront(front)}---\n${text === undefined ? '' : `${text}\n`}`;
}

/** The front matter's keys and values in their order, and the text below it. */
export function toMarkdownParts(
  doc: StoredDocument,
  textField: string | undefined,
): { front: [string, unknown][]; text: string | undefined } {
  const below = textField !== undefined && Object.hasOwn(doc.data, textField) ? doc.data[textField] : undefined;
  const text = typeof below === 'string' && isBelow(below) ? below : undefined;
  const data = Object.entries(doc.data).filter(([key]) => text === undefined || key !== textField);
  const own = DOCUMENT_KEYS.filter((key) => !NAMED_BY_PATH.has(key) && doc[key] !== undefined).map(
    (key): [string, unknown] => [key, doc[key]],
  );
  // Data with a key that the front matter has for itself is kept apart from it, in its order.
  const isApart = data.some(([key]) => OWN_KEYS.includes(key));
  if (isApart) own.push(['data', fromEntries(data)]);
  const front: [string, unknown][] = [...(isApart ? [] : data), ['_document', fromEntries(own)]];
  if (doc._fieldMeta) front.push(['_fieldMeta', doc._fieldMeta]);
  return { front, text };
}

export function printFront(front: Iterable<[string, unknown]>): string {
  return printMap(front, '');
}

function isBelow(text: string): boolean {
  return text !== '' && !NOT_BELOW.test(text) && text.isWellFormed();
}

/** Keeps a key `__proto__` a key. */
function fromEntries(entries: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries);
}

function printMap(entries: Iterable<[string, unknown]>, indent: string): string {
  let printed = '';
  for (const [key, value] of entries) {
    const written = toKey(key);
    const start = isLongKey(written) ? `? ${written}\n${indent}:` : `${written}:`;
    printed += `${indent}${start}${printValue(value, indent)}`;
  }
  return printed;
}

/** What follows a colon, with the end of the line. */
function printValue(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return ` ${printScalar(value, indent)}\n`;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return value.length ? `\n${printList(value, inner)}` : ' []\n';
  const entries = Object.entries(value);
  return entries.length ? `\n${printMap(entries, inner)}` : ' {}\n';
}

function printList(items: readonly unknown[], indent: string): string {
  let printed = '';
  for (const item of items) {
    const value = printValue(item, indent);
    // A map or list begins on the line of its dash, where its own indentation ends.
    printed += `${indent}-${value.startsWith('\n') ? ` ${value.slice(1 + indent.length + 2)}` : value}`;
  }
  return printed;
}

function printScalar(value: unknown, indent: string): string {
  if (typeof value === 'number') return toNumber(value);
  if (typeof value !== 'string') return String(value);
  if (isBlock(value)) return printBlock(value, indent);
  return isPlain(value) ? value : quote(value);
}

/** A text of several lines; the indentation is named if the text begins with one of its own. */
function printBlock(text: string, indent: string): string {
  const isAllKept = text.endsWith('\n\n');
  const chomping = isAllKept ? '+' : text.endsWith('\n') ? '' : '-';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  const inner = `\n${indent}  `;
  return `|${/^[ \n]/.test(text) ? '2' : ''}${chomping}${lines.map((line) => (line === '' ? '\n' : inner + line)).join('')}`;
}
