// Turns zod's issues into sentences with dotted paths: one for every unknown key, with the nearest known one.
import type { z } from 'zod';
import type { Problem } from '../lib/errors.ts';
import { didYouMean } from '../lib/text/nearest.ts';
import { notThis } from './quote.ts';

type Issue = z.core.$ZodIssue;

/** The parsed value, or every problem of the value. */
export function parseShape<T extends z.ZodType>(
  schema: T,
  value: unknown,
): { value: z.output<T> } | { problems: Problem[] } {
  // zod names unknown keys but not the known ones; its raw issue still has the schema, whose shape has them.
  const knownKeys = new WeakMap<object, string[]>();
  const parsed = schema.safeParse(value, {
    reportInput: true,
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') knownKeys.set(issue.input as object, shapeKeys(issue.inst));
      return undefined;
    },
  });
  if (parsed.success) return { value: parsed.data };
  return { problems: parsed.error.issues.flatMap((issue) => toProblems(issue, [], knownKeys)) };
}

function shapeKeys(schema: unknown): string[] {
  const { def } = (schema as { _zod: { def: { shape: object } } })._zod;
  return Object.keys(def.shape);
}

function toProblems(issue: Issue, prefix: PropertyKey[], knownKeys: WeakMap<object, string[]>): Problem[] {
  const path = [...prefix, ...issue.path];
  const at = (key?: string) => [...path, ...(key === undefined ? [] : [key])].map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys.get(issue.input as object) ?? [];
    return issue.keys.map((key) => ({ path: at(key), message: `unknown key${hint(key, known)}` }));
  }
  if (issue.code === 'invalid_union') {
    const branch = closestBranch(issue.errors);
    if (branch) return branch.flatMap((inner) => toProblems(inner, path, knownKeys));
    const expected = issue.errors.flat().map(expectation).filter(Boolean);
    const message = `expected ${expected.join(' or ') || 'another kind of value'}`;
    return [{ path: at(), message: message + notThis(issue.input, at()) }];
  }
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return [{ path: at(), message: 'this key is required' }];
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    const meant = typeof issue.input === 'string' ? meantBy(issue.input, values) : '';
    return [{ path: at(), message: `expected one of ${values.join(', ')}${notThis(issue.input, at())}${meant}` }];
  }
  return [{ path: at(), message: issue.message.replace(/^Invalid input: /, '') + notThis(issue.input, at()) }];
}

/** What other services call a type of field: no typing slip, so that no distance finds it. */
const CALLED_ELSEWHERE: Record<string, string> = {
  asset: 'file',
  bool: 'boolean',
  checkbox: 'boolean',
  component: 'object',
  datetime: 'date',
  dynamiczone: 'blocks',
  enum: 'select',
  enumeration: 'select',
  float: 'number',
  gallery: 'image-gallery',
  group: 'object',
  html: 'richtext',
  int: 'number',
  integer: 'number',
  list: 'array',
  location: 'map',
  markdown: 'richtext',
  media: 'image',
  reference: 'relation',
  repeater: 'array',
  string: 'text',
  time: 'date',
  timestamp: 'date',
  wysiwyg: 'richtext',
};

function meantBy(word: string, values: readonly string[]): string {
  const plain = word.toLowerCase().replace(/[-_ ]/g, '');
  const meant = Object.hasOwn(CALLED_ELSEWHERE, plain) ? CALLED_ELSEWHERE[plain]! : '';
  return values.includes(meant) ? `, did you mean "${meant}"?` : didYouMean(word, values);
}

/** What to write instead if a known word is near; otherwise all known words. */
function hint(word: string, known: readonly string[]): string {
  return didYouMean(word, known) || (known.length ? `; known here: ${known.join(', ')}` : ', no key is known here');
}

/** The branch for the kind of value that was meant: one that got past "this is not an object". */
function closestBranch(branches: Issue[][]): Issue[] | undefined {
  return branches.find((issues) => issues.some((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys'));
}

function expectation(issue: Issue): string {
  if (issue.code === 'invalid_type') return issue.expected;
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(', ');
  return issue.message;
}
