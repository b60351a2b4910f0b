// Bodies and queries of the brand voice.

import { z } from 'zod';
import type { Principal, Role } from '../access/principal.ts';
import { VoiceRecord } from './record.ts';

const MAX_MESSAGES = 100;
const MAX_MESSAGE_CHARS = 20_000;

const LocaleText = z.string().min(1).max(100);

export const ReadQuery = z.object({
  locale: LocaleText.optional(),
  versions: z.literal('1').optional().meta({ description: 'all versions in place of the active one' }),
});

export const TranslateVoiceBody = z.strictObject({ locale: LocaleText });

export const VersionChange = z
  .strictObject({ action: z.literal('activate').optional(), ...VoiceRecord.shape })
  .refine(
    ({ action, ...fields }) => (action === undefined) === Object.values(fields).some((value) => value !== undefined),
    'must be either {"action": "activate"} or fields to change',
  );

export const InterviewBody = z.strictObject({
  messages: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().min(1).max(MAX_MESSAGE_CHARS) }))
    .max(MAX_MESSAGES)
    .refine((messages) => messages.length === 0 || messages.at(-1)?.role === 'user', 'must end with one of the user')
    .meta({ description: 'the whole interview so far; empty to begin it' }),
});

export const READERS: readonly Role[] = ['admin', 'editor'];

/** Whether a principal may read the voice: it goes by roles, and by the cookie of a person. */
export function mayReadVoice({ kind, role }: Pick<Principal, 'kind' | 'role'>): boolean {
  return kind === 'session' && role !== null && READERS.includes(role);
}
