// Settings as they are answered: complete with defaults, without the values of secrets, and with secret addresses cut
// to their origin. Pure.
import { z } from 'zod';
import type { Problem } from '../lib/errors.ts';
import { maskUrl } from '../lib/text/masked-url.ts';
import { BackupTarget, isSecretKey, SiteSettings, Webhook } from './settings.ts';

/** In shorter secrets four characters would help to guess the others, so `last4` is empty. */
const MIN_FOR_LAST4 = 12;

export const ShownSecret = z.union([
  z.object({ set: z.literal(true), last4: z.string() }),
  z.object({ set: z.literal(false) }),
]);
export type ShownSecret = z.output<typeof ShownSecret>;

function maskSecret(secret: string): ShownSecret {
  if (secret === '') return { set: false };
  const characters = [...secret];
  return { set: true, last4: characters.length < MIN_FOR_LAST4 ? '' : characters.slice(-4).join('') };
}

const ShownTarget = BackupTarget.extend({ secretAccessKey: ShownSecret });
const ShownWebhook = Webhook.extend({ secret: ShownSecret });

/** An unset setting is shown as an empty text, which the schema of its values may not allow. */
function orUnset(schema: z.ZodType): z.ZodType {
  return schema.safeParse(undefined).data === '' ? z.union([z.literal(''), schema]) : schema;
}

/** The schema of an answer. */
export const ShownSettings = z.object({
  ...(Object.fromEntries(
    Object.entries(SiteSettings.shape).map(([key, schema]) => [key, isSecretKey(key) ? ShownSecret : orUnset(schema)]),
  ) as typeof SiteSettings.shape),
  backupTarget: ShownTarget.nullable(),
  webhooks: z.array(ShownWebhook),
});

export function toShown(settings: SiteSettings): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(settings)) {
    shown[key] = isSecretKey(key) ? maskSecret(value as string) : value;
    if (key === 'deployHookUrl') shown[key] = maskUrl(value as string);
  }
  const { backupTarget, webhooks } = settings;
  if (backupTarget) {
    shown.backupTarget = { ...backupTarget, secretAccessKey: maskSecret(backupTarget.secretAccessKey) };
  }
  shown.webhooks = webhooks.map((webhook) => ({
    ...webhook,
    url: maskUrl(webhook.url),
    secret: maskSecret(webhook.secret),
  }));
  return shown;
}

/** Settings that have no effect as they are, with what is missing. Pure. */
export function idleSettings({ revalidateUrl, revalidateSecret }: SiteSettings): Problem[] {
  if (revalidateUrl === '' || revalidateSecret !== '') return [];
  return [{ path: 'revalidateSecret', message: 'is not set: without it nothing is sent to revalidateUrl' }];
}
