// A configuration is data: JSON values and nothing else. Copying it first means that freezing the result never freezes
// an object of the caller's, and that no getter, cycle or prototype reaches the schemas.
import type { Problem } from '../lib/errors.ts';

const MAX_DEPTH = 64;
const BANNED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** A deep copy of JSON values; leaves out and reports all others. Keys that are undefined count as absent. */
export function copyPlain(value: unknown, problems: Problem[]): unknown {
  return copy(value, '', 0, problems);
}

function copy(value: unknown, path: string, depth: number, problems: Problem[]): unknown {
  const refuse = (message: string): undefined => void problems.push({ path, message });
  if (depth > MAX_DEPTH) return refuse(`nested deeper than ${MAX_DEPTH} levels`);
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : refuse(`expected a number that JSON can hold, not ${value}`);
    case 'object':
      break;
    default:
      return refuse(`expected plain data, not a ${typeof value}`);
  }
  if (value === null) return null;
  const at = (key: string | number) => (path ? `${path}.${key}` : `${key}`);
  if (Array.isArray(value)) return Array.from(value, (item, index) => copy(item, at(index), depth + 1, problems));
  if (!isPlainObject(value)) return refuse('expected plain data, not an instance of a class');
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (BANNED_KEYS.has(key)) problems.push({ path: at(key), message: 'this key is never allowed' });
    else if (item !== undefined) result[key] = copy(item, at(key), depth + 1, problems);
  }
  return result;
}

/** Returns true also for an object of another realm and for one without a prototype. */
function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Freezes a value and everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
