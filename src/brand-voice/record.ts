// What a brand voice consists of (interface.md, Brand voice record), and a version of it as it is stored.
import { z } from 'zod';
import { invalid, type Problem } from '../lib/errors.ts';
import { isLocale } from '../lib/text/locale.ts';

const MAX_TEXT_CHARS = 2000;
const MAX_ITEMS = 30;
const MAX_ITEM_CHARS = 300;
const MIN_ADJECTIVES = 3;
const MAX_ADJECTIVES = 5;

const Text = z.string().trim().max(MAX_TEXT_CHARS);
const Item = z.string().trim().min(1).max(MAX_ITEM_CHARS);
const Items = z.array(Item).max(MAX_ITEMS);

/** Every part is optional; an empty text or list is the same as none. */
export const VoiceRecord = z.strictObject({
  name: Text.max(200).optional(),
  industry: Text.max(200).optional(),
  description: Text.optional(),
  language: z
    .string()
    .trim()
    .refine((text) => text === '' || isLocale(text), 'must be a language tag such as en or pt-BR')
    .optional()
    .meta({ description: 'a language tag; that of the site if absent' }),
  targetAudience: Text.optional(),
  primaryTone: Text.optional().meta({ description: 'the voice in one sentence' }),
  brandPersonality: Items.refine(
    ({ length }) => length === 0 || (length >= MIN_ADJECTIVES && length <= MAX_ADJECTIVES),
    `must have ${MIN_ADJECTIVES} to ${MAX_ADJECTIVES} adjectives`,
  ).optional(),
  contentGoals: Items.optional(),
  contentPillars: Items.optional(),
  avoidTopics: Items.optional(),
  seoKeywords: Items.optional(),
  examplePhrases: Items.optional(),
});
export type VoiceRecord = z.output<typeof VoiceRecord>;

export const VoiceVersion = z
  .object({
    id: z.string(),
    createdAt: z.string(),
    createdBy: z.object({ id: z.string().nullable(), name: z.string() }),
    updatedAt: z.string(),
    ...VoiceRecord.shape,
  })
  .meta({ id: 'BrandVoiceVersion' });
export type VoiceVersion = z.output<typeof VoiceVersion>;

/** The language of the interface's name for a field, for prompts and for people. */
export const VOICE_LABELS: Record<keyof VoiceRecord, string> = {
  name: 'Name',
  industry: 'Industry',
  description: 'Description',
  language: 'Language',
  targetAudience: 'Target audience',
  primaryTone: 'Primary tone',
  brandPersonality: 'Personality',
  contentGoals: 'Content goals',
  contentPillars: 'Content pillars',
  avoidTopics: 'Avoid',
  seoKeywords: 'SEO keywords',
  examplePhrases: 'Example phrases',
};

const KEYS = Object.keys(VoiceRecord.shape) as (keyof VoiceRecord)[];

/** The record alone, without what is empty. */
export function toRecord(value: VoiceRecord): VoiceRecord {
  const filled = KEYS.filter((key) => (value[key]?.length ?? 0) > 0);
  return Object.fromEntries(filled.map((key) => [key, value[key]]));
}

/** @throws ServiceError 400 for a record that says nothing about a voice */
export function checkSaysSomething(record: VoiceRecord): VoiceRecord {
  const filled = toRecord(record);
  const { language: _, ...said } = filled;
  if (Object.keys(said).length > 0) return filled;
  const problems: Problem[] = [{ path: 'primaryTone', message: 'is required, or another part of the voice' }];
  throw invalid(problems);
}
