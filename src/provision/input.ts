// What the wizard sends, and what it gets back.
import { z } from 'zod';
import { FLY_VM_SIZES } from '../settings/settings.ts';

/** In the order in which things are made; a step that is done is not done again. */
export const PROVISION_STEPS = ['app', 'volume', 'secrets', 'machine', 'ip', 'health'] as const;
export type ProvisionStep = (typeof PROVISION_STEPS)[number];

/** Regions of Fly, the default first. Fly adds and closes some; it refuses one that it does not have. */
export const PROVISION_REGIONS = [
  'arn',
  'ams',
  'cdg',
  'fra',
  'lhr',
  'iad',
  'ewr',
  'ord',
  'lax',
  'sjc',
  'sea',
  'gru',
].concat(['jnb', 'bom', 'sin', 'nrt', 'syd']);

const Token = z
  .string()
  .trim()
  .min(1)
  .max(4096, { abort: true })
  .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be visible ASCII characters')
  .meta({ description: 'kept in memory only, for as long as the provisioning takes and an hour to undo it' });

export const CheckBody = z.object({ flyToken: Token });

export const ProvisionBody = z.object({
  template: z.string().trim().min(1).max(100),
  appName: z
    .string()
    .trim()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be lower-case letters, digits and "-", at most 63')
    .meta({ description: 'unique over all of Fly; the address is https://<appName>.fly.dev' }),
  region: z
    .string()
    .trim()
    .regex(/^[a-z]{3}$/, 'must be the three letters of a region')
    .default('arn'),
  vmSize: z.enum(FLY_VM_SIZES).default('shared-cpu-1x'),
  adminEmail: z.email().max(254),
  flyToken: Token,
  flyOrg: z
    .string()
    .trim()
    .max(200)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be the slug of an organisation')
    .optional(),
  image: z
    .string()
    .trim()
    .max(400)
    .regex(/^[a-z0-9][a-z0-9._:/-]*(:[A-Za-z0-9._-]+)?(@sha256:[0-9a-f]{64})?$/, 'must be a container image')
    .optional()
    .meta({ description: 'an image with the command `colophon`; that of CMS_PROVISION_IMAGE if absent' }),
});
export type ProvisionBody = z.output<typeof ProvisionBody>;

export const RemoveBody = z.object({ flyToken: Token.optional() });

export const TemplateShape = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  image: z.string(),
});
/** A site that `colophon init --template` writes. */
export type TemplateOffer = z.output<typeof TemplateShape>;

export const OptionsShape = z.object({
  templates: z.array(TemplateShape),
  regions: z.array(z.string()),
  sizes: z.array(z.string()),
});

export const CheckShape = z.object({
  ok: z.boolean().meta({ description: 'false if Fly refuses the token' }),
  organizations: z.array(z.string()).meta({ description: 'slugs; one of them is `flyOrg`' }),
});
