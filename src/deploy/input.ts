// Bodies, queries and answers of the deploy endpoints.
import { z } from 'zod';
import { Deploy } from './deploy.ts';

const ProfileName = z.string().min(1).max(200, { abort: true });

export const TriggerBody = z.object({
  profile: ProfileName.optional().meta({ description: 'a build profile; the default one if absent' }),
  preview: z.boolean().default(false).meta({ description: 'for an address of its own; what is live stays live' }),
});

export const TriggerAnswer = z.object({ ok: z.literal(true), deploy: Deploy });
export const DeployList = z.object({ deploys: z.array(Deploy) });

export const LiveQuery = z
  .object({ collection: z.string().min(1).optional(), slug: z.string().min(1).optional() })
  .refine(({ collection, slug }) => (collection === undefined) === (slug === undefined), {
    message: 'collection and slug are given together',
  });

export const DOCUMENT_STATES = ['live', 'older', 'absent'] as const;

export const LiveAnswer = z
  .object({
    id: z.string(),
    commit: z.string().nullable(),
    at: z.iso.datetime(),
    url: z.string().nullable(),
    document: z
      .enum(DOCUMENT_STATES)
      .optional()
      .meta({ description: 'whether the newest version of the document that the query names is live' }),
  })
  .nullable();

export const TargetAnswer = z
  .object({
    provider: z.string(),
    label: z.string().meta({ description: 'the provider for people: `Vercel`' }),
    hasPreviews: z.boolean(),
    hasRollback: z.boolean(),
    missing: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .meta({ description: 'settings that it needs and that are not set; their names without values' }),
  })
  .nullable();

export const NotifyQuery = z.object({ site: z.string().optional() });

/** An http or https address that a page can link to. */
const PublicUrl = z
  .string()
  .max(2048, { abort: true })
  .refine((text) => /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text), 'must be an http or https URL');

export const NotifyBody = z.object({
  status: z.enum(['success', 'failure']),
  url: PublicUrl.meta({ description: 'the address of the site' }),
  app: z.string().max(200, { abort: true }).meta({ description: 'the name of the app, or another name for it' }),
  duration: z.int().min(0).max(31_536_000).meta({ description: 'seconds' }),
});

export const NotifyAnswer = z.object({
  ok: z.literal(true),
  clients: z.int().meta({ description: 'how many streams were notified' }),
});

export const GithubStatus = z.union([
  z.object({ found: z.literal(false) }),
  z.object({
    found: z.literal(true),
    runId: z.int(),
    status: z.enum(['queued', 'in_progress', 'completed']),
    conclusion: z.enum(['success', 'failure', 'cancelled', 'skipped']).nullable(),
    url: z.string(),
    startedAt: z.iso.datetime(),
  }),
]);
export type GithubStatus = z.output<typeof GithubStatus>;
