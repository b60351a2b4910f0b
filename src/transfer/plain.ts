// Turns the output of the YAML, TOML and JSON parsers into plain JSON values that a document may hold, or refuses it
// with the path of the value. The rules are those for a request's body.
import { TomlDate } from 'smol-toml';
import { invalid } from '../lib/errors.ts';
import { checkJson, isObject, MAX_DEPTH } from '../lib/json.ts';
import { fromTomlDate } from './timestamp.ts';

/** `data` is one level below the top of a document. */
const MAX_DATA_DEPTH = MAX_DEPTH - 1;

export function toPlainObject(value: unknown): Record<string, unknown> {
  if (!isObject(value) || value instanceof Date) throw invalid('expected keys and values');
  const plain = withoutDates(value, 0);
  const problems = checkJson(plain, '', MAX_DATA_DEPTH);
  if (problems.length > 0) throw invalid(problems);
  return plain as Record<string, unknown>;
}

function withoutDates(value: unknown, depth: number): unknown {
  if (value instanceof TomlDate) return fromTomlDate(value);
  // `checkJson` refuses deeper values; descending all the way could overflow the stack.
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => withoutDates(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutDates(item, depth + 1)]));
}
