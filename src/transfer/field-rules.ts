// `--map title=post_title` and `--set status=draft`: how the keys of files that another program wrote become the keys of
// a collection. Pure; runs before it is decided which keys describe the document.
import type { Data } from '../content/document.ts';
import { invalid } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';
import type { TransferCollection } from './candidate.ts';

export interface FieldRules {
  /** Key of the collection, and the key in the file, `a.b` for one inside an object. */
  map: readonly (readonly [key: string, source: string])[];
  set: readonly (readonly [key: string, value: string])[];
}

export const NO_RULES: FieldRules = { map: [], set: [] };

/** Parses `key=value` arguments; only the first `=` separates. */
export function parseFieldRules(map: readonly string[] = [], set: readonly string[] = []): FieldRules {
  return { map: map.map((text) => parsePair('map', text)), set: set.map((text) => parsePair('set', text)) };
}

/** All sources are read before any key is written, so that two keys may be exchanged. A source that is missing is left. */
export function applyFieldRules(data: Data, rules: FieldRules, collection: TransferCollection): Data {
  if (rules.map.length === 0 && rules.set.length === 0) return data;
  const changed = structuredClone(data);
  const found = rules.map
    .map(([key, source]) => [key, takeValue(changed, source)] as const)
    .filter(([, value]) => value !== undefined);
  for (const [key, value] of found) changed[key] = value;
  for (const [key, value] of rules.set) changed[key] = toValue(key, value, collection);
  return changed;
}

function parsePair(option: string, text: string): readonly [string, string] {
  const at = text.indexOf('=');
  const key = text.slice(0, Math.max(at, 0)).trim();
  if (key === '' || (option === 'map' && at === text.length - 1)) {
    throw invalid(`--${option} "${text}" is not ${option === 'map' ? 'key=key of the file' : 'key=value'}`);
  }
  if (['__proto__', 'constructor', 'prototype'].includes(key)) throw invalid(`--${option}: "${key}" cannot be a key`);
  return [key, text.slice(at + 1)];
}

/** The value under the key itself, else along the dots; it is removed, and so are objects that become empty. */
function takeValue(data: Data, source: string): unknown {
  if (Object.hasOwn(data, source)) {
    const value = data[source];
    delete data[source];
    return value;
  }
  const at = source.indexOf('.');
  const first = source.slice(0, at);
  const inner = at > 0 && Object.hasOwn(data, first) ? data[first] : undefined;
  if (!isObject(inner)) return undefined;
  const value = takeValue(inner, source.slice(at + 1));
  if (Object.keys(inner).length === 0) delete data[first];
  return value;
}

/** Text, unless the type of the field says otherwise, or it is a list or an object. */
function toValue(key: string, text: string, collection: TransferCollection): unknown {
  const type = collection.fields.find((field) => field.name === key)?.type;
  if (type === 'boolean' || (type === undefined && key === 'draft')) {
    if (text === 'true' || text === 'false') return text === 'true';
    throw invalid([{ path: key, message: `--set needs true or false, and "${text}" is neither` }]);
  }
  if (type === 'number') {
    if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
    throw invalid([{ path: key, message: `--set needs a number, and "${text}" is not a number` }]);
  }
  if (type === 'tags' && !text.startsWith('['))
    return text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '');
  const isText = type === 'text' || type === 'textarea' || type === 'richtext' || type === undefined;
  if (isText || !/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalid([{ path: key, message: `--set: the value is not JSON: ${error.message}` }]);
  }
}
