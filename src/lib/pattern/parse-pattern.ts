// Reads a regular expression of ECMAScript (flag u) into the steps of an automaton. V8 has already accepted its syntax:
// this only finds its parts, and refuses what no automaton can do in linear time.

/** `next` and `other` are places in the list of steps. */
export type PatternStep =
  | { kind: 'one'; matches: (point: number) => boolean; next: number }
  | { kind: 'fork'; next: number; other: number }
  | { kind: 'assert'; what: '^' | '$' | 'b' | 'B'; next: number }
  | { kind: 'match' };

export interface PatternProgram {
  steps: readonly PatternStep[];
  start: number;
}

/** Steps of a pattern with its repetitions written out. */
export const MAX_PATTERN_STEPS = 1000;
const MAX_REPETITIONS = 20 * MAX_PATTERN_STEPS;
const MAX_DEPTH = 50;

/** Puts the steps of a part in front of `next`, and returns the place of the first one. */
type Emit = (next: number) => number;

function checkSyntax(source: string): void {
  try {
    new RegExp(source, 'u');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`this is not a regular expression: ${error.message.replace(/^.*: /s, '')}`);
  }
}

function createSteps() {
  const steps: PatternStep[] = [];
  let repetitions = 0;
  /** Repetitions of nothing make no steps, but take time. */
  const checkSize = (): void => {
    if (steps.length < MAX_PATTERN_STEPS && repetitions++ < MAX_REPETITIONS) return;
    throw new SyntaxError('the pattern is too large: repeat fewer times, or limit the length by maxLength');
  };
  const add = (step: PatternStep): number => {
    checkSize();
    return steps.push(step) - 1;
  };
  return { steps, add, checkSize };
}

/** The place behind an escape of one character; `at` is behind its kind. */
function endOfEscape(points: readonly string[], at: number): number {
  const kind = points[at - 1];
  if (kind === 'p' || kind === 'P' || (kind === 'u' && points[at] === '{')) return points.indexOf('}', at) + 1;
  if (kind === 'c') return at + 1;
  if (kind === 'x') return at + 2;
  if (kind !== 'u') return at;
  // Two escapes of a surrogate pair are one character.
  const pair = points.slice(at - 2, at + 10).join('');
  return /^\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}$/.test(pair) ? at + 10 : at + 4;
}

/** @throws SyntaxError with a sentence for the author of the pattern. */
export function parsePattern(source: string): PatternProgram {
  checkSyntax(source);
  const { steps, add, checkSize } = createSteps();
  const points = Array.from(source);
  let at = 0;
  let depth = 0;

  function parseChoice(): Emit {
    if (++depth > MAX_DEPTH) throw new SyntaxError('the pattern has too many groups within one another');
    const branches = [parseSequence()];
    while (points[at] === '|') {
      at++;
      branches.push(parseSequence());
    }
    depth--;
    return (next) =>
      branches.map((branch) => branch(next)).reduceRight((other, first) => add({ kind: 'fork', next: first, other }));
  }

  function parseSequence(): Emit {
    const parts: Emit[] = [];
    while (at < points.length && points[at] !== '|' && points[at] !== ')') parts.push(parseRepeated());
    return (next) => parts.reduceRight((after, part) => part(after), next);
  }

  function parseRepeated(): Emit {
    const part = parsePart();
    const range = parseRange();
    if (!range) return part;
    if (points[at] === '?') at++;
    const [min, max] = range;
    return (next) => {
      let first = next;
      if (max === Number.POSITIVE_INFINITY) {
        const loop = add({ kind: 'fork', next, other: next });
        steps[loop] = { kind: 'fork', next: part(loop), other: next };
        first = loop;
      } else {
        for (let i = min; i < max; i++) first = add({ kind: 'fork', next: part(first), other: next });
      }
      for (let i = 0; i < min; i++) {
        checkSize();
        first = part(first);
      }
      return first;
    };
  }

  function parseRange(): [number, number] | undefined {
    const sign = points[at];
    if (sign === '*' || sign === '+' || sign === '?') {
      at++;
      return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY];
    }
    if (sign !== '{') return undefined;
    const end = points.indexOf('}', at);
    const [min = '', max] = points
      .slice(at + 1, end)
      .join('')
      .split(',');
    at = end + 1;
    // More than the limit is refused anyway when the steps are written out.
    const bound = (digits: string): number => Math.min(Number(digits), MAX_PATTERN_STEPS + 1);
    return [bound(min), max === undefined ? bound(min) : max === '' ? Number.POSITIVE_INFINITY : bound(max)];
  }

  function parsePart(): Emit {
    const point = points[at++]!;
    if (point === '(') return parseGroup();
    if (point === '^' || point === '$') return assertion(point);
    if (point === '.') return one('.');
    if (point === '[') {
      const from = at - 1;
      while (points[at] !== ']') at += points[at] === '\\' ? 2 : 1;
      at++;
      return one(points.slice(from, at).join(''));
    }
    if (point === '\\') return parseEscape();
    const code = point.codePointAt(0)!;
    return (next) => add({ kind: 'one', matches: (found) => found === code, next });
  }

  function parseGroup(): Emit {
    if (points[at] === '?') {
      const name = points.indexOf('>', at);
      if (points[at + 1] === ':') at += 2;
      else if (points[at + 1] === '<' && points[at + 2] !== '=' && points[at + 2] !== '!') at = name + 1;
      else throw new SyntaxError('look-ahead, look-behind and flags within a pattern cannot be checked in linear time');
    }
    const inner = parseChoice();
    at++;
    return inner;
  }

  function parseEscape(): Emit {
    const from = at - 1;
    const kind = points[at++]!;
    if (kind === 'b' || kind === 'B') return assertion(kind);
    if (kind === 'k' || (kind >= '1' && kind <= '9')) {
      throw new SyntaxError(`a back reference (\\${kind}) cannot be checked in linear time`);
    }
    at = endOfEscape(points, at);
    return one(points.slice(from, at).join(''));
  }

  function assertion(what: '^' | '$' | 'b' | 'B'): Emit {
    return (next) => add({ kind: 'assert', what, next });
  }

  /** One character, as V8 itself reads the part. */
  function one(part: string): Emit {
    const matches = toMatches(part);
    return (next) => add({ kind: 'one', matches, next });
  }

  const emit = parseChoice();
  const start = emit(add({ kind: 'match' }));
  return { steps, start };
}

const ASCII = 128;

function toMatches(part: string): (point: number) => boolean {
  const expression = new RegExp(`^${part}$`, 'u');
  const ascii = Array.from({ length: ASCII }, (_, point) => expression.test(String.fromCodePoint(point)));
  return (point) => (point < ASCII ? ascii[point]! : expression.test(String.fromCodePoint(point)));
}
