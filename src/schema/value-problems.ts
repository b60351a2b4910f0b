// Turns zod's issues with one value into problems with dotted paths; the field types have the messages.
import type { z } from 'zod';
import type { Problem } from '../lib/errors.ts';

export function valueProblems(issues: readonly z.core.$ZodIssue[], path: string): Problem[] {
  return issues.map((issue) => ({
    path: [path, ...issue.path.map(String)].filter((part) => part !== '').join('.'),
    message: issue.message.replace(/^Invalid input: /, ''),
  }));
}
