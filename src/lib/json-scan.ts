// Walks JSON text by its grammar (RFC 8259) where JSON.parse tells too little: where a syntax error is, and how a number
// was written. Slow path only; it recurses, so the caller has bounded the depth first (json.ts).

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING_STOP = /["\\\x00-\x1f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /true|false|null/y;

type Visit = (source: string, path: string) => void;

/** The position of the first syntax error, or -1. `visit` gets every number as it is written, with its dotted path. */
export function scanJson(text: string, visit?: Visit): number {
  let at = 0;
  let errorAt = -1;

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
    at++;
    for (;;) {
      STRING_STOP.lastIndex = at;
      const stop = STRING_STOP.exec(text);
      if (!stop) return fail(text.length);
      at = stop.index;
      if (stop[0] === '"') {
        at++;
        return true;
      }
      if (stop[0] !== '\\' || sticky(ESCAPE) === undefined) return fail(at);
    }
  };

  const members = (close: string, member: (index: number) => boolean): boolean => {
    at++;
    skipSpace();
    if (text[at] === close) {
      at++;
      return true;
    }
    for (let index = 0; ; index++) {
      if (!member(index)) return false;
      skipSpace();
      const next = text[at];
      if (next !== ',' && next !== close) return fail(at);
      at++;
      if (next === close) return true;
      skipSpace();
    }
  };

  const value = (path: string): boolean => {
    skipSpace();
    const under = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
    const first = text[at];
    if (first === '"') return string();
    if (first === '[') return members(']', (index) => value(under(index)));
    if (first === '{') {
      return members('}', () => {
        const start = at;
        if (text[at] !== '"') return fail(at);
        if (!string()) return false;
        const key = visit ? (JSON.parse(text.slice(start, at)) as string) : '';
        skipSpace();
        if (text[at] !== ':') return fail(at);
        at++;
        return value(under(key));
      });
    }
    const number = sticky(NUMBER);
    if (number === undefined) return sticky(WORD) !== undefined || fail(at);
    visit?.(number, path);
    return true;
  };

  if (!value('')) return errorAt;
  skipSpace();
  return at < text.length ? at : -1;
}
