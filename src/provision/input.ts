// What the wizard sends, and what it gets back.
import { z } from 'zod';
import { FLY_VM_SIZES } from '../settings/settings.ts';

/** In the order in which things are made; a step that is done is not done again. */
export const PROVISION_STEPS = ['app', 'volume', 'secrets', 'machine', 'ip', 'health'] as const;
export type ProvisionStep = (typeof PROVISION_STEPS)[number];

/** A provisioning that a crash cut off is `interrupted`. */
export const PROVISION_STATUSES = ['running', 'done', 'failed', 'interrupted', 'stopped'] as const;

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

const Key = Token.max(1024).meta({ description: 'kept in memory only, until it is a secret of the new service' });

/** By the variable that the new service reads. The keys of this service are never sent anywhere. */
export const GivenKeys = z.strictObject({
  ANTHROPIC_API_KEY: Key.optional(),
  OPENAI_API_KEY: Key.optional(),
  OPENAI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
});
export type GivenKeys = z.output<typeof GivenKeys>;

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
  aiKeys: GivenKeys.optional().meta({
    description: 'keys of AI services for the new service; without them it has none',
  }),
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

/** Any part of a wish: what is there is checked as it would be at the beginning. */
export const CheckBody = ProvisionBody.partial()
  .extend({ region: ProvisionBody.shape.region.unwrap().optional() })
  .extend({ vmSize: ProvisionBody.shape.vmSize.unwrap().optional() })
  .refine((wish) => Object.values(wish).some((value) => value !== undefined), 'nothing to check');
export type CheckBody = z.output<typeof CheckBody>;

export const RemoveBody = z.object({ flyToken: Token.optional() });

export const TemplateShape = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  image: z.string().meta({ description: 'address of its picture' }),
});
/** A site that `colophon init --template` writes. */
export type TemplateOffer = z.output<typeof TemplateShape>;

export const OptionsShape = z.object({
  templates: z.array(TemplateShape),
  regions: z.array(z.string()),
  sizes: z.array(z.string()),
  needsImage: z.boolean().meta({ description: 'true if `image` has to be named: CMS_PROVISION_IMAGE is not set' }),
});

export const CheckShape = z.object({
  ok: z.boolean().meta({ description: 'false if Fly refuses the token' }),
  organizations: z.array(z.string()).meta({ description: 'slugs; one of them is `flyOrg`' }),
  app: z
    .enum(['free', 'ours', 'taken'])
    .optional()
    .meta({ description: 'what Fly has under `appName`, if both it and a token that is accepted are sent' }),
});
export type CheckShape = z.output<typeof CheckShape>;

/** One that the caller began: what was asked for, how far it came, and what it made. */
export const ProvisionShape = ProvisionBody.pick({ template: true, appName: true, image: true, flyOrg: true }).extend({
  id: z.string(),
  region: z.string(),
  vmSize: z.string(),
  adminEmail: z.string(),
  url: z.string().meta({ description: 'the address that it has once it is done' }),
  startedAt: z.iso.datetime(),
  status: z.enum(PROVISION_STATUSES),
  error: z.string().nullable(),
  made: z
    .object({ app: z.boolean(), volumes: z.int(), machines: z.int(), ips: z.int(), secrets: z.int() })
    .meta({ description: 'what a removal takes away' }),
  needsToken: z.boolean().meta({ description: 'true if a removal has to send `flyToken`' }),
});
export type ProvisionShape = z.output<typeof ProvisionShape>;

export const ProvisionsShape = z.object({
  provisions: z.array(ProvisionShape).meta({ description: 'newest first' }),
});
