// The keys of a document that a file may give beside its data, limited to what the service itself would write: a wrong
// id or date would make the stored document unreadable at the next start.
import { z } from 'zod';
import { parseInput } from '../lib/parse-input.ts';
import { isLocale } from '../lib/text/locale.ts';
import { hasLater } from '../lib/time/date-time.ts';
import { FileDateTimeInput } from '../lib/time/date-time-input.ts';

const DocumentKeys = z.object({
  id: z
    .string()
    .regex(/^(?=.*[A-Z])[0-9A-Za-z]{12}$/, 'expected 12 letters and digits, at least one of them a capital')
    .optional(),
  locale: z.string().refine(isLocale, 'expected a BCP 47 language tag such as en or pt-BR').optional(),
  translationOf: z.string().min(1).optional(),
  translationGroup: z.uuid().optional(),
  publishAt: FileDateTimeInput.optional(),
  unpublishAt: FileDateTimeInput.optional(),
  createdAt: FileDateTimeInput.optional(),
  updatedAt: FileDateTimeInput.refine(hasLater, 'expected a date-time before the last day of 9999').optional(),
});

export type GivenKey = keyof z.input<typeof DocumentKeys>;

/** The keys that are given, dates in UTC. Throws with a problem for each that is wrong. */
export function parseDocumentKeys(given: Partial<Record<GivenKey, unknown>>): z.output<typeof DocumentKeys> {
  return parseInput(DocumentKeys, given);
}
