// Turns zod's issues with one value into problems with dotted paths; the field types have the messages.
import type { z } from 'zod';
import type { Problem } from '../lib/errors.ts';
import { DATE_PATTERN } from '../lib/time/date-time.ts';
import { SLUG_PATTERN } from './values.ts';

export function valueProblems(issues: readonly z.core.$ZodIssue[], path: string): Problem[] {
  return issues.map((issue) => ({
    path: [path, ...issue.path.map(String)].filter((part) => part !== '').join('.'),
    message: issue.message.replace(/^Invalid input: /, ''),
  }));
}

/** What a text has to be to mean anything at all: without these a list could not be sorted, and a relation followed. */
const TYPE_PATTERNS: ReadonlySet<string> = new Set([DATE_PATTERN, SLUG_PATTERN].map(String));

/**
 * Whether the value has the right type, and only its pattern, length, count, range, option or notation (of an e-mail
 * address, a URL, a colour) is wrong.
 */
export function isOfFormat(issue: z.core.$ZodIssue, value: unknown): boolean {
  switch (issue.code) {
    case 'too_small':
    case 'too_big':
    case 'custom':
      return true;
    case 'invalid_format':
      return !TYPE_PATTERNS.has(issue.format === 'regex' ? (issue.pattern ?? '') : '');
    case 'invalid_value': {
      const type = typeof issue.path.reduce(entryOf, value);
      return issue.values.some((option) => typeof option === type);
    }
    default:
      return false;
  }
}

function entryOf(value: unknown, key: PropertyKey): unknown {
  return (value as Record<PropertyKey, unknown>)[key];
}
