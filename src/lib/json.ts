// The strict reader of everything that enters as JSON, and the same rules for values passed in-process. What passes
// here can be stored, hashed and answered unchanged; ordinary bodies pay a few searches for it. All of it takes time
// linear in the text's length.
import { invalid, MAX_PATH_LENGTH, MAX_PROBLEMS, type Problem, ServiceError } from './errors.ts';
import { scanJson } from './text/json-scan.ts';

/** JSON.parse accepts a depth of a million, JSON.stringify overflows at five thousand; the contract allows 64. */
export const MAX_DEPTH = 64;
/**
 * Keys of objects and items of lists in one body; a megabyte could hold half a million, and each costs a microsecond.
 */
export const MAX_MEMBERS = 50_000;
const MAX_NODES = 2_000_000;

/** Sixteen digits or an exponent: only such a number may not fit into a double. */
const ODD_NUMBER = /[0-9]{16}|[0-9][eE][+-]?[0-9]/;
/**
 * How forbidden keys begin; only an escape can spell one differently, or smuggle in a lone surrogate. Searching for
 * each short text by itself takes half the time of one expression for all of them.
 */
const ODD_TEXTS = ['"proto', '"__pro', '"const', '\\u'];
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses JSON text. The last of duplicate keys wins, as with JSON.parse. @throws ServiceError invalid_input: syntax
 * (with the position), depth over 64, more than `maxMembers` keys and items, or the problems that `checkJson` finds.
 */
export function parseJson(text: string, { maxMembers = MAX_MEMBERS } = {}): unknown {
  refuseHuge(text, maxMembers);
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
  if (problems.length > 0) throw invalid(firstOfEachPath(problems));
  return value;
}

function firstOfEachPath(problems: Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ path }) => seen.size < seen.add(path).size);
}

/**
 * The problems that keep a value from being JSON that the service stores: values that JSON cannot express, cycles,
 * depth, lone surrogates, the keys `__proto__`, `constructor`, `prototype`. Empty if there is no problem; at most
 * MAX_PROBLEMS.
 */
export function checkJson(value: unknown, path = '', maxDepth = MAX_DEPTH): Problem[] {
  const problems: Problem[] = [];
  const ancestors = new Set<object>();
  /** Path of the current item, below `path`. */
  const place: (string | number)[] = [];
  let nodes = 0;

  const report = (message: string): void => {
    const segments = path === '' ? place : [path, ...place];
    problems.push({ path: segments.map(toSegment).join('.'), message });
  };
  const isOver = (): boolean => problems.length >= MAX_PROBLEMS;

  const walk = (item: unknown): void => {
    if (++nodes > MAX_NODES) {
      if (nodes === MAX_NODES + 1) report('has too many values');
      return;
    }
    const refusal = refuse(item, ancestors, maxDepth);
    if (refusal) report(refusal);
    if (refusal || typeof item !== 'object' || item === null) return;
    ancestors.add(item);
    const depth = place.push('');
    const under = (key: string | number, value: unknown): void => {
      place[depth - 1] = key;
      if (typeof key === 'string' && FORBIDDEN_KEYS.has(key)) report(`the key ${key} is not allowed`);
      else if (typeof key === 'string' && !key.isWellFormed()) report('key has a lone surrogate');
      else walk(value);
    };
    if (Array.isArray(item)) {
      for (let i = 0; i < item.length && !isOver(); i++) under(i, item[i]);
    } else {
      for (const key of Object.keys(item)) {
        if (isOver()) break;
        under(key, (item as Record<string, unknown>)[key]);
      }
    }
    place.pop();
    ancestors.delete(item);
  };

  walk(value);
  return problems;
}

/** Keys come from a client; a long one would be repeated in the path of every problem below it. */
function toSegment(part: string | number): string | number {
  return typeof part === 'string' ? part.slice(0, MAX_PATH_LENGTH).toWellFormed() : part;
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

/** Does not parse the text. Leaves text that is not JSON to the parser. */
function refuseHuge(text: string, maxMembers: number): void {
  const found = measure(text, maxMembers);
  if (found.isTooDeep) throw invalid(`JSON is nested deeper than ${MAX_DEPTH} levels`);
  if (found.members > maxMembers) throw invalid(`JSON has more than ${maxMembers} keys and items`);
}

/** Returns true if JSON text has more than `maxMembers` keys and items. */
export function hasMoreMembers(text: string, maxMembers: number): boolean {
  return measure(text, maxMembers).members > maxMembers;
}

/** Scans brackets and commas until it passes one of the bounds; skips strings by their quotes. */
function measure(text: string, maxMembers: number): { members: number; isTooDeep: boolean } {
  let depth = 0;
  let members = 0;
  /** True if nothing has followed the last opening bracket. */
  let isEmpty = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c <= 0x20) continue;
    if (c === 0x7d || c === 0x5d) {
      depth--;
      if (isEmpty) members--;
    }
    isEmpty = c === 0x7b || c === 0x5b;
    if (isEmpty && ++depth > MAX_DEPTH) return { members, isTooDeep: true };
    // Each comma separates two members; each bracket that is not closed at once has a first member.
    if (isEmpty || c === 0x2c) members++;
    if (members > maxMembers + 1) break;
    if (c === 0x22) {
      i = endOfString(text, i);
      if (i < 0) break;
    }
  }
  return { members, isTooDeep: false };
}

/** The index of the quote that closes the string opened at `start`; -1 if nothing closes it. */
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
    problems.push({
      path: path(),
      message: `the number ${shorten(source)} cannot be held exactly; send it as a string`,
    });
  });
  return problems;
}

/**
 * Returns true if a double holds the number as written. Whole numbers must come back with the same digits; a fraction
 * becomes its nearest double (as 0.1 does) unless nothing of it is left.
 */
function isHeld(source: string): boolean {
  const held = Number(source);
  if (!Number.isFinite(held)) return false;
  // Fifteen digits survive in any double that is not zero.
  if (held !== 0 && (source.length <= 15 || String(held) === source)) return true;
  const [digits, exponent] = decimal(source);
  if (digits === '') return true;
  if (exponent < 0) return held !== 0;
  const [heldDigits, heldExponent] = decimal(String(held));
  return digits === heldDigits && exponent === heldExponent;
}

/** A decimal number as its significant digits (empty for zero) and the power of ten of the last digit. */
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
  let line = 1;
  let start = 0;
  for (let i = 0; i < at; i++) {
    if (text.charCodeAt(i) !== 0x0a) continue;
    line++;
    start = i + 1;
  }
  return `at position ${at} (line ${line}, column ${Math.max(at, 0) - start + 1})`;
}

/** A JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
