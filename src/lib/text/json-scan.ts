// Walks JSON text by its grammar (RFC 8259) for what JSON.parse does not report: the place of a syntax error, and how a
// number was written. Slow path only; it recurses, so the caller has bounded the depth first (json.ts).

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const HEX = /[0-9a-fA-F]{4}/y;
/** Longer keys are cut, or two of them would exceed the size of the list of problems. */
const MAX_KEY_LENGTH = 500;
const WORD = /true|false|null/y;
const ESCAPED = new Set('"\\/bfnrt');

/** `path` is dotted, and built only when called. */
type Visit = (source: string, path: () => string) => void;

/** The position of the first syntax error, or -1. `visit` gets every number as it is written, and its path. */
export function scanJson(text: string, visit?: Visit): number {
  let at = 0;
  let errorAt = -1;
  /** Current path: indexes of items, and keys as they are written. */
  const place: (string | number)[] = [];
  const path = (): string => place.map(toSegment).join('.');

  const fail = (position: number): false => {
    errorAt = position;
    return false;
  };
  const skipSpace = (): void => {
    for (let c = text.charCodeAt(at); c === 32 || c === 10 || c === 13 || c === 9; c = text.charCodeAt(at)) at++;
  };
  const sticky = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };

  const string = (): boolean => {
    for (at++; at < text.length; at++) {
      const c = text.charCodeAt(at);
      if (c === QUOTE) {
        at++;
        return true;
      }
      if (c < 0x20) return fail(at);
      if (c !== BACKSLASH) continue;
      const escaped = text[at + 1] ?? '';
      HEX.lastIndex = at + 2;
      if (escaped === 'u' ? !HEX.test(text) : !ESCAPED.has(escaped)) return fail(at);
      at += escaped === 'u' ? 5 : 1;
    }
    return fail(text.length);
  };

  const members = (close: string, member: (index: number) => boolean): boolean => {
    at++;
    skipSpace();
    if (text[at] === close) {
      at++;
      return true;
    }
    place.push(0);
    for (let index = 0; ; index++) {
      if (!member(index)) return false;
      skipSpace();
      const next = text[at];
      if (next !== ',' && next !== close) return fail(at);
      at++;
      if (next === close) {
        place.pop();
        return true;
      }
      skipSpace();
    }
  };

  const item = (index: number): boolean => {
    place[place.length - 1] = index;
    return value();
  };

  const entry = (): boolean => {
    const start = at;
    if (text[at] !== '"') return fail(at);
    if (!string()) return false;
    place[place.length - 1] = text.slice(start, at);
    skipSpace();
    if (text[at] !== ':') return fail(at);
    at++;
    return value();
  };

  const value = (): boolean => {
    skipSpace();
    const first = text[at];
    if (first === '"') return string();
    if (first === '[') return members(']', item);
    if (first === '{') return members('}', entry);
    const number = sticky(NUMBER);
    if (number === undefined) return sticky(WORD) !== undefined || fail(at);
    visit?.(number, path);
    return true;
  };

  if (!value()) return errorAt;
  skipSpace();
  return at < text.length ? at : -1;
}

function toSegment(part: string | number): string | number {
  if (typeof part === 'number') return part;
  return part.length > MAX_KEY_LENGTH ? '...' : (JSON.parse(part) as string);
}
