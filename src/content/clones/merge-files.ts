// Documents as people with a clone meet them: as text for `git diff`, and merged for `git merge`. Pure.
import { ServiceError } from '../../lib/errors.ts';
import { isObject, parseJson } from '../../lib/json.ts';
import { DOCUMENT_KEYS, type StoredDocument } from '../document.ts';
import { isMarkdown } from '../files/paths.ts';
import { mergeDocuments } from '../merge.ts';
import { type MergedFile, mergeMarkdownFiles } from './merge-markdown.ts';

/** Undefined if one of the files is not a document: then git has to merge the text. */
export function mergeDocumentFiles(
  path: string,
  sides: readonly [base: string, ours: string, theirs: string],
): MergedFile | undefined {
  if (isMarkdown(path)) return mergeMarkdownFiles(...sides);
  const [before, own, other] = sides.map(readStored);
  // Both sides added the file: without a common state every difference is a conflict of git's.
  if (!before || !own || !other) return undefined;
  const { doc, notShown } = mergeDocuments(before, own, other);
  const ordered = inOrderOf(doc, ORDERED);
  ordered.data = inOrderOf(doc.data, Object.keys(own.data), Object.keys(other.data));
  if (isObject(ordered._fieldMeta) && Object.keys(ordered._fieldMeta).length === 0) delete ordered._fieldMeta;
  return { text: `${JSON.stringify(ordered, null, 2)}\n`, conflicts: notShown };
}

const ORDERED = [...DOCUMENT_KEYS, 'data', '_fieldMeta'];
const KNOWN: ReadonlySet<string> = new Set(ORDERED);

function readStored(text: string): StoredDocument | undefined {
  const value = parseOrUndefined(text);
  if (!isObject(value) || !isObject(value.data) || typeof value.updatedAt !== 'string') return undefined;
  const isKnown = Object.keys(value).every((key) => KNOWN.has(key));
  return isKnown && (value._fieldMeta === undefined || isObject(value._fieldMeta))
    ? (value as unknown as StoredDocument)
    : undefined;
}

function inOrderOf(merged: object, ...orders: (readonly string[])[]): Record<string, unknown> {
  const values = merged as Record<string, unknown>;
  const keys = new Set([...orders.flat(), ...Object.keys(values)]);
  return Object.fromEntries([...keys].flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]])));
}

/** The file with texts of several lines as lines; a file that is not JSON as it is. */
export function toReadableText(text: string): string {
  const value = parseOrUndefined(text);
  return value === undefined ? text : `${toLines(value, '').join('\n')}\n`;
}

function toLines(value: unknown, indent: string): string[] {
  if (typeof value === 'string' && value.includes('\n')) {
    return ['|', ...value.split('\n').map((line) => (line === '' ? '' : `${indent}  ${line}`))];
  }
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return [JSON.stringify(value)];
  const entries = Object.entries(value as object);
  if (entries.length === 0) return [isList ? '[]' : '{}'];
  const inner = `${indent}  `;
  const lines = entries.flatMap(([key, item]) => {
    const [first = '', ...more] = toLines(item, inner);
    return [`${inner}${isList ? '- ' : `${JSON.stringify(key)}: `}${first}`, ...more];
  });
  return [isList ? '[' : '{', ...lines, `${indent}${isList ? ']' : '}'}`];
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
