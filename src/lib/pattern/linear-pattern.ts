// A regular expression whose match takes time in proportion to the text: the states of its automaton are followed all at
// once, and each set of states is worked out once. It means what `new RegExp(source, 'u').test(text)` means, without
// look-around and back references.
import { type PatternStep, parsePattern } from './parse-pattern.ts';

export interface LinearPattern {
  /** Whether the pattern matches somewhere in the text; undefined if the work is used up before that is known. */
  test(text: string, work?: PatternWork): boolean | undefined;
}

/** What is left of the steps that the caller allows for many texts together. */
export interface PatternWork {
  left: number;
}

type Before = 'start' | 'word' | 'other';

/** Places in the pattern that have been reached in front of a character. */
interface PlaceSet {
  places: readonly number[];
  before: Before;
  /** By the next character; its end is -1. */
  next: Map<number, PlaceSet | typeof MATCHED>;
}

const MATCHED = Symbol('matched');
const END = -1;
/** What one pattern may remember: then it forgets everything and works it out again. */
const MAX_KNOWN_MOVES = 20_000;
/** A place that is worked out takes about as long as this many characters whose set is known. */
const PLACE_COST = 4;

/** @throws SyntaxError with a sentence for the author of the pattern. */
export function createLinearPattern(source: string): LinearPattern {
  const { steps, start } = parsePattern(source);
  let known = new Map<string, PlaceSet>();
  let moves = 0;

  function setOf(places: readonly number[], before: Before): PlaceSet {
    const key = `${before} ${places.join(',')}`;
    let set = known.get(key);
    if (!set) known.set(key, (set = { places, before, next: new Map() }));
    return set;
  }

  const follow = createFollow(steps);
  const isNext = new Uint8Array(steps.length);

  function move(set: PlaceSet, point: number, work: PatternWork): PlaceSet | typeof MATCHED {
    const reached = follow(set.places, start, set.before, point);
    work.left -= reached.length * PLACE_COST;
    if (reached.some((place) => steps[place]!.kind === 'match')) return MATCHED;
    let after: number[] = [];
    for (const place of reached) {
      const step = steps[place]!;
      if (step.kind !== 'one' || point === END || !step.matches(point) || isNext[step.next]) continue;
      isNext[step.next] = 1;
      after.push(step.next);
    }
    for (const place of after) isNext[place] = 0;
    if (after.length > 1) after = after.sort((a, b) => a - b);
    return setOf(after, isWord(point) ? 'word' : 'other');
  }

  return {
    test(text, work = { left: Number.POSITIVE_INFINITY }) {
      let set = setOf([], 'start');
      for (let i = 0; i <= text.length; ) {
        if (work.left-- <= 0) return undefined;
        const point = i < text.length ? text.codePointAt(i)! : END;
        let next = set.next.get(point);
        if (next === undefined) {
          if (++moves > MAX_KNOWN_MOVES) {
            known = new Map();
            moves = 0;
            set = setOf(set.places, set.before);
          }
          next = move(set, point, work);
          set.next.set(point, next);
        }
        if (next === MATCHED) return true;
        set = next;
        i += point > 0xffff ? 2 : 1;
      }
      return false;
    },
  };
}

/** Every place that can be reached without a character, between the character before and the next one. */
function createFollow(steps: readonly PatternStep[]) {
  const seen = new Uint32Array(steps.length);
  let turn = 0;
  return (from: readonly number[], start: number, before: Before, next: number): readonly number[] => {
    turn++;
    const reached: number[] = [];
    const waiting = [...from, start];
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (seen[place] === turn) continue;
      seen[place] = turn;
      const step = steps[place]!;
      if (step.kind === 'fork') waiting.push(step.next, step.other);
      else if (step.kind !== 'assert') reached.push(place);
      else if (holds(step.what, before, next)) waiting.push(step.next);
    }
    return reached;
  };
}

function holds(what: '^' | '$' | 'b' | 'B', before: Before, next: number): boolean {
  if (what === '^') return before === 'start';
  if (what === '$') return next === END;
  return ((before === 'word') !== isWord(next)) === (what === 'b');
}

function isWord(point: number): boolean {
  return point >= 0 && point < 128 && /\w/.test(String.fromCharCode(point));
}
