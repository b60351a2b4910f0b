// Reads a document that is Markdown with YAML front matter, written by the printer or by a person. The result has the
// shape of a document's JSON and is checked as such (stored.ts).
import { parseDocument } from 'yaml';
import { invalid } from '../../lib/errors.ts';
import { checkJson, isObject } from '../../lib/json.ts';
import { nearest } from '../../lib/text/nearest.ts';
import { DOCUMENT_KEYS } from '../document.ts';
import { readFrontLines } from './front-lines.ts';

const FENCE = '---';
const FENCE_LINE = /^---[ \t]*$/m;
/** Keys below `_document`; `data` holds the data of a document whose keys would collide with the front matter's. */
const DOCUMENT_PART = [...DOCUMENT_KEYS, 'data'];

/**
 * Returns the document as an object of the JSON format. The text below the front matter is the value of the first of
 * `textFields` that the front matter does not have. @throws ServiceError invalid_input with the reason.
 */
export function parseMarkdown(
  source: string,
  textFields: readonly string[],
  maxMembers: number,
): Record<string, unknown> {
  const text = source.includes('\r\n') ? source.replaceAll('\r\n', '\n') : source;
  const [matter, below] = split(text);
  const { _document: own = {}, _fieldMeta, ...fields } = readFrontLines(matter) ?? readYaml(matter, maxMembers);
  if (!isObject(own)) throw invalid('_document of the front matter is not a map');
  const { data = fields, ...keys } = own;
  for (const key of Object.keys(keys)) if (!DOCUMENT_PART.includes(key)) throw invalid(unknownKey(key));
  if (!isObject(data)) throw invalid('data below _document is not a map');
  const extra = data === fields ? undefined : Object.keys(fields)[0];
  if (extra !== undefined) throw invalid(`the front matter has both data below _document and a key "${extra}"`);
  if (below !== undefined) {
    const field = textFields.find((name) => !Object.hasOwn(data, name));
    if (field !== undefined) data[field] = below;
    else if (below !== '') throw invalid(noField(textFields));
  }
  return { ...keys, data, ...(_fieldMeta === undefined ? {} : { _fieldMeta }) };
}

function unknownKey(key: string): string {
  const meant = nearest(key, DOCUMENT_PART);
  return `_document has an unknown key "${key}"${meant ? `; did you mean "${meant}"?` : ''}`;
}

function noField(textFields: readonly string[]): string {
  const [first] = textFields;
  return first === undefined
    ? 'there is text below the front matter, and the collection has no field of type richtext'
    : `there is text below the front matter, and "${first}" is in it already`;
}

/** The front matter with the ends of its lines, and the text below it; undefined if there is nothing below. */
function split(text: string): [matter: string, below: string | undefined] {
  const start = text.indexOf('\n') + 1;
  const isOpen = start > 0 && text.startsWith(FENCE) && text.slice(FENCE.length, start).trim() === '';
  if (!isOpen) throw invalid('a Markdown document begins with a line --- and front matter');
  const rest = text.slice(start);
  const close = FENCE_LINE.exec(rest);
  if (!close) throw invalid('the front matter has no closing --- line');
  const below = rest.slice(close.index + close[0].length + 1);
  // One final newline belongs to the file.
  return [rest.slice(0, close.index), below === '' ? undefined : below.endsWith('\n') ? below.slice(0, -1) : below];
}

function readYaml(matter: string, maxMembers: number): Record<string, unknown> {
  const parsed = parseDocument(matter, { prettyErrors: false, logLevel: 'silent' });
  const [error] = parsed.errors;
  if (error) {
    const line = matter.slice(0, error.pos[0]).split('\n').length + 1;
    throw invalid(`the front matter cannot be read: line ${line}: ${firstLine(error.message)}`);
  }
  const value = toValue(parsed);
  if (!isObject(value)) throw invalid('the front matter is not a map of keys to values');
  const [problem] = checkJson(value, '', MATTER_DEPTH);
  if (problem) throw invalid([problem]);
  if (countMembers(value) > maxMembers) throw invalid(`the front matter has more than ${maxMembers} keys and items`);
  return value;
}

/** As deep as a JSON document: `data` is one level above its fields there. */
const MATTER_DEPTH = 64;

function toValue(parsed: ReturnType<typeof parseDocument>): unknown {
  try {
    return parsed.toJS() ?? {};
  } catch (cause) {
    // Aliases that multiply without end or name nothing, nesting deeper than the stack.
    throw invalid(`the front matter cannot be read: ${firstLine((cause as Error).message)}`);
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const item of Object.values(value)) count += 1 + countMembers(item);
  return count;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] as string;
}
