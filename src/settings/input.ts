// The body that the settings route accepts.
import { z } from 'zod';
import { BackupTarget, isSecretKey, SiteSettings, Webhook } from './settings.ts';
import { ShownSecret } from './shown.ts';

const Clear = z.union([z.null(), z.literal('')]);
const Generate = z.object({ generate: z.literal(true) });
const SecretPatch = z.union([z.string(), ShownSecret, Generate, z.null()]);

const WebhookPatch = Webhook.extend({
  id: Webhook.shape.id.optional(),
  secret: SecretPatch.optional(),
});
const TargetPatch = BackupTarget.extend({ secretAccessKey: z.union([z.string(), ShownSecret]) }).partial();

/** For the API's description; `patch.ts` parses, and reports every problem with the nearest key. */
export const SettingsPatch = z.object({
  ...(Object.fromEntries(
    Object.entries(SiteSettings.shape).map(([key, schema]) => [
      key,
      (isSecretKey(key) ? SecretPatch : z.union([schema.unwrap(), Clear])).optional(),
    ]),
  ) as Record<string, z.ZodType>),
  backupTarget: z.union([TargetPatch, Clear]).optional(),
  webhooks: z.union([z.array(WebhookPatch), Clear]).optional(),
});
