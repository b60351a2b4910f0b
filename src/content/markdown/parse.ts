// Reads a document that is Markdown with YAML front matter, written by the printer or by a person. The result has the
// shape of a document's JSON and is checked as such (stored.ts).
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { invalid } from '../../lib/errors.ts';
import { checkJson, isObject } from '../../lib/json.ts';
import { nearest } from '../../lib/text/nearest.ts';
import { DOCUMENT_KEYS } from '../document.ts';
import { readFrontLines } from './front-lines.ts';

const FENCE = '---';
/** The key of a text that no field has space for. */
const TEXT_KEY = 'body';
const FENCE_LINE = /^---[ \t]*$/m;
/** Keys below `_document`; `data` holds the data of a document whose keys would collide with the front matter's. */
const DOCUMENT_PART = [...DOCUMENT_KEYS, 'data'];

/**
 * Returns the document as an object of the JSON format. The text below the front matter is the value of the first of
 * `textFields` that the front matter does not have, else of a key that no field has. @throws ServiceError invalid_input with the reason.
 */
export function parseMarkdown(
  source: string,
  textFields: readonly string[],
  maxMembers: number,
): Record<string, unknown> {
  const [matter, below] = splitMarkdown(source);
  const { _document: own = {}, _fieldMeta, ...fields } = readFrontLines(matter) ?? readYaml(matter, maxMembers);
  if (!isObject(own)) throw invalid('_document of the front matter is not a map');
  const { data = fields, ...keys } = own;
  for (const key of Object.keys(keys)) if (!DOCUMENT_PART.includes(key)) throw invalid(unknownKey(key));
  if (!isObject(data)) throw invalid('data below _document is not a map');
  const extra = data === fields ? undefined : Object.keys(fields)[0];
  if (extra !== undefined) throw invalid(`the front matter has both data below _document and a key "${extra}"`);
  if (below !== undefined) data[fieldOf(textFields, data)] = below;
  return { ...keys, data, ...(_fieldMeta === undefined ? {} : { _fieldMeta }) };
}

function unknownKey(key: string): string {
  const meant = nearest(key, DOCUMENT_PART);
  return `_document has an unknown key "${key}"${meant ? `; did you mean "${meant}"?` : ''}`;
}

/** Whether a file is a document must not depend on the schema: any text has a key, known or not. */
function fieldOf(textFields: readonly string[], data: Record<string, unknown>): string {
  const free = [...textFields, TEXT_KEY].find((name) => !Object.hasOwn(data, name));
  if (free !== undefined) return free;
  for (let n = 2; ; n++) if (!Object.hasOwn(data, `${TEXT_KEY}${n}`)) return `${TEXT_KEY}${n}`;
}

/**
 * The front matter with the ends of its lines, and the text below it; undefined if there is nothing below.
 * @throws ServiceError invalid_input if there is no front matter
 */
export function splitMarkdown(source: string): [matter: string, below: string | undefined] {
  const text = source.includes('\r\n') ? source.replaceAll('\r\n', '\n') : source;
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

/**
 * The most that the library reads, in UTF-16 units: it takes some hundred milliseconds. What the service wrote has no
 * limit of its own.
 */
const YAML_LENGTH = 48 << 10;

/** Loaded on demand: most files have front matter that `readFrontLines` reads. */
let library: typeof Yaml | undefined;
function yaml(): typeof Yaml {
  library ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  return library;
}

function readYaml(matter: string, maxMembers: number): Record<string, unknown> {
  if (matter.length > YAML_LENGTH) {
    throw invalid(`front matter of more than ${YAML_LENGTH >> 10} KiB is read only as the service writes it`);
  }
  const lineOf = (at: number): number => matter.slice(0, at).split('\n').length + 1;
  const parsed = yaml().parseDocument(matter, { prettyErrors: false, logLevel: 'silent', uniqueKeys: false });
  const [error] = parsed.errors;
  if (error)
    throw invalid(`the front matter cannot be read: line ${lineOf(error.pos[0])}: ${firstLine(error.message)}`);
  const repeated = findRepeated(parsed);
  if (repeated !== undefined) throw invalid(`the front matter has a key twice in one map: line ${lineOf(repeated)}`);
  const value = toValue(parsed);
  if (!isObject(value)) throw invalid('the front matter is not a map of keys to values');
  const [problem] = checkJson(value, '', MATTER_DEPTH);
  if (problem) throw invalid([problem]);
  if (countMembers(value) > maxMembers) throw invalid(`the front matter has more than ${maxMembers} keys and items`);
  return value;
}

/** Returns the place of a key that a map has already; the library looks for it in the square of their number. */
function findRepeated(parsed: ReturnType<typeof Yaml.parseDocument>): number | undefined {
  const { isScalar, visit } = yaml();
  let found: number | undefined;
  visit(parsed, {
    Map(_, { items }) {
      const keys = new Set<string>();
      for (const { key } of items) {
        const name = String(isScalar(key) ? key.value : key);
        if (keys.has(name)) found ??= isScalar(key) ? (key.range?.[0] ?? 0) : 0;
        keys.add(name);
      }
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}

/** As deep as a JSON document: `data` is one level above its fields there. */
const MATTER_DEPTH = 64;

function toValue(parsed: ReturnType<typeof Yaml.parseDocument>): unknown {
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
