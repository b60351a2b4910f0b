// The strict reader of everything that enters as JSON, and the same rules for values handed over in-process. What
// passes here can be stored, hashed and answered unchanged; ordinary bodies pay a few searches for it.
import { invalid, type Problem, ServiceError } from './errors.ts';
import { scanJson } from './json-scan.ts';

/** JSON.parse takes a depth of a million, JSON.stringify dies at five thousand; the contract allows 64. */
export const MAX_DEPTH = 64;
const MAX_PROBLEMS = 20;
const MAX_NODES = 2_000_000;

/** Sixteen digits or an exponent: only such a number can be one that a double does not hold. */
const ODD_NUMBER = /[0-9]{16}|[0-9][eE][+-]?[0-9]/;
/**
 * The beginnings of forbidden keys; and only an escape can spell one in another way, or smuggle in a lone surrogate.
 * Short texts, each looked for by itself, are found in half the time of an expression for all of them.
 */
const ODD_TEXTS = ['"proto', '"__pro', '"const', '\\u'];
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses JSON text. Of duplicate keys the last one wins, as with JSON.parse.
 * @throws ServiceError invalid_input: syntax (with the position), depth over 64, or the problems `checkJson` knows.
 */
export function parseJson(text: string): unknown {
  if (isDeeper(text)) throw invalid(`JSON is nested deeper than ${MAX_DEPTH} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('invalid_input', `not valid JSON ${position(text)}`, { cause });
  }
  const problems = [
    ...(ODD_NUMBER.test(text) ? numberProblems(text) : []),
    ...(ODD_TEXTS.some((odd) => text.includes(odd)) ? checkJson(value) : []),
  ];
  if (problems.length > 0) {
    throw invalid(problems.filter((one, i) => problems.findIndex((other) => other.path === one.path) === i));
  }
  return value;
}

/**
 * What keeps a value from being JSON that the service stores: values JSON has no words for, cycles, depth, lone
 * surrogates, the keys `__proto__`, `constructor`, `prototype`. Empty where all is well; at most 20 problems.
 */
export function checkJson(value: unknown, path = '', maxDepth = MAX_DEPTH): Problem[] {
  const problems: Problem[] = [];
  const ancestors = new Set<object>();
  let nodes = 0;

  const walk = (item: unknown, at: string): void => {
    if (problems.length >= MAX_PROBLEMS) return;
    if (++nodes > MAX_NODES) {
      if (nodes === MAX_NODES + 1) problems.push({ path: at, message: 'has too many values' });
      return;
    }
    const refusal = refuse(item, ancestors, maxDepth);
    if (refusal) {
      problems.push({ path: at, message: refusal });
      return;
    }
    if (typeof item !== 'object' || item === null) return;
    ancestors.add(item);
    if (Array.isArray(item)) {
      for (let i = 0; i < item.length; i++) walk(item[i], at === '' ? String(i) : `${at}.${i}`);
    } else {
      for (const key of Object.keys(item)) {
        const under = at === '' ? key : `${at}.${key}`;
        if (FORBIDDEN_KEYS.has(key)) problems.push({ path: under, message: `the key ${key} is not allowed` });
        else if (!key.isWellFormed())
          problems.push({ path: under.toWellFormed(), message: 'key has a lone surrogate' });
        else walk((item as Record<string, unknown>)[key], under);
      }
    }
    ancestors.delete(item);
  };

  walk(value, path);
  return problems;
}

function refuse(item: unknown, ancestors: ReadonlySet<object>, maxDepth: number): string | undefined {
  switch (typeof item) {
    case 'string':
      return item.isWellFormed() ? undefined : 'has a lone surrogate';
    case 'number':
      return Number.isFinite(item) ? undefined : `${item} is not a JSON number`;
    case 'boolean':
      return undefined;
    case 'object': {
      if (item === null) return undefined;
      if (ancestors.has(item)) return 'contains itself';
      if (ancestors.size >= maxDepth) return `is nested deeper than ${maxDepth} levels`;
      if (Array.isArray(item)) return undefined;
      const prototype: unknown = Object.getPrototypeOf(item);
      // A plain object of another realm (a configuration loaded in a vm) counts as plain.
      const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
      if (!plain || Object.getOwnPropertySymbols(item).length > 0) return 'is not a plain JSON object';
      return undefined;
    }
    default:
      return `${typeof item} is not a JSON value`;
  }
}

/** Whether the text opens more than 64 levels, found without parsing it; strings are skipped by their quotes. */
function isDeeper(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      i = endOfString(text, i);
      if (i < 0) return false;
    } else if (c === 0x7b || c === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (c === 0x7d || c === 0x5d) depth--;
  }
  return false;
}

/** The index of the quote that closes the string opened at `start`; -1 where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === 0x5c) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return -1;
}

function numberProblems(text: string): Problem[] {
  const problems: Problem[] = [];
  scanJson(text, (source, path) => {
    if (problems.length >= MAX_PROBLEMS || isHeld(source)) return;
    problems.push({ path, message: `the number ${shorten(source)} cannot be held exactly; send it as a string` });
  });
  return problems;
}

/**
 * Whether a double holds the number as written. Whole numbers must come back with the same digits; a fraction becomes
 * its nearest double (as 0.1 does) unless nothing of it is left.
 */
function isHeld(source: string): boolean {
  const held = Number(source);
  if (!Number.isFinite(held)) return false;
  const [digits, exponent] = decimal(source);
  if (digits === '') return true;
  if (exponent < 0) return held !== 0;
  const [heldDigits, heldExponent] = decimal(String(held));
  return digits === heldDigits && exponent === heldExponent;
}

/** A decimal number as significant digits (none for zero) and the power of ten of the last of them. */
function decimal(source: string): [digits: string, exponent: number] {
  const [mantissa = '', power = '0'] = source.replace('-', '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = `${whole}${fraction}`;
  let end = all.length;
  while (end > 0 && all[end - 1] === '0') end--;
  let start = 0;
  while (start < end && all[start] === '0') start++;
  return [all.slice(start, end), Number(power) - fraction.length + (all.length - end)];
}

function shorten(source: string): string {
  return source.length > 40 ? `${source.slice(0, 37)}...` : source;
}

function position(text: string): string {
  const at = scanJson(text);
  const before = text.slice(0, Math.max(at, 0)).split('\n');
  return `at position ${at} (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

/** An object of JSON: no null and no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
