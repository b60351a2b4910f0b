// The bodies and answers of the generation routes.
import { z } from 'zod';
import { DataInput, DocumentSchema } from '../content/input.ts';
import { isLocale } from '../lib/text/locale.ts';

const Name = z.string().min(1).max(200);
/** Longer than any instruction, and short enough for every model. */
const Prompt = z.string().trim().min(1).max(20_000);
const LocaleText = z.string().refine(isLocale, 'expected a BCP 47 language tag such as en or pt-BR');

const applying = {
  apply: z.boolean().optional().meta({ description: 'write it, as an AI for the caller, instead of proposing it' }),
  data: DataInput.optional().meta({
    description: 'with apply: the fields of a reviewed proposal, stored as they are; the model is not asked',
  }),
};

const unsaved = {
  unsaved: DataInput.optional().meta({
    description: 'fields as they are in an editor, not stored yet: the model reads them instead of the stored ones',
  }),
};

function onlyWithApply<T extends z.ZodObject>(body: T): T {
  return body.refine((value) => (value as { apply?: boolean }).apply === true || !('data' in value), {
    path: ['data'],
    error: 'needs apply: true',
  });
}

export const GenerateBody = onlyWithApply(
  z.strictObject({
    collection: Name,
    prompt: Prompt,
    fields: z
      .array(Name)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'all fields that a model can write if absent' }),
    locale: LocaleText.optional(),
    ...applying,
  }),
).meta({ id: 'GenerateBody' });

export const RewriteBody = onlyWithApply(
  z.strictObject({ collection: Name, slug: Name, field: Name, instruction: Prompt, ...unsaved, ...applying }),
).meta({ id: 'RewriteBody' });

export const SeoBody = onlyWithApply(z.strictObject({ collection: Name, slug: Name, ...unsaved, ...applying })).meta({
  id: 'SeoBody',
});

export const TranslateBody = onlyWithApply(
  z.strictObject({ collection: Name, slug: Name, locale: LocaleText, ...applying }),
).meta({ id: 'TranslateBody' });

const Warnings = z.array(z.object({ path: z.string(), message: z.string() }));

const GeneratedShape = z
  .object({
    proposal: z.object({
      data: z.record(z.string(), z.unknown()),
      diff: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
      skippedFields: z.array(z.string()),
    }),
    usage: z.object({ inputTokens: z.int(), outputTokens: z.int(), costUsd: z.number().nullable() }),
    model: z.string().nullable(),
    warnings: Warnings.meta({ description: 'what could not be carried over' }),
  })
  .meta({ id: 'GeneratedProposal' });

const AppliedShape = z.intersection(
  DocumentSchema,
  z.object({ skippedFields: z.array(z.string()).optional(), warnings: Warnings.optional() }),
);

export const GenerationShape = z.union([GeneratedShape, AppliedShape]);
export const QueuedShape = z.object({ queued: z.string(), warnings: Warnings }).meta({ id: 'QueuedChange' });
