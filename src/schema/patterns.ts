// The patterns of fields, and what all of them may cost in one check: an editor's text must not hold the service.
import { createLinearPattern, type LinearPattern, type PatternWork } from '../lib/pattern/linear-pattern.ts';

/** About a tenth of a second; an ordinary pattern reads as many characters. */
const WORK = 3_000_000;

const work: PatternWork = { left: WORK };

/** Patterns are compiled once, though each field is built for drafts and for published documents. */
const compiled = new Map<string, LinearPattern>();
const MAX_COMPILED = 500;

/** Call it before each check of a document. */
export function startPatternWork(): void {
  work.left = WORK;
}

/** Whether a text matches; undefined if the texts of one check together need too much work. */
export function compilePattern(source: string): (text: string) => boolean | undefined {
  let pattern: LinearPattern | undefined = compiled.get(source);
  if (!pattern) {
    pattern = createLinearPattern(source);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(source, pattern);
  }
  const { test } = pattern;
  return (text) => test(text, work);
}
