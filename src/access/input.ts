// Input of this folder's operations. Lengths are checked first: nothing longer is compared, case-folded or hashed.
import { z } from 'zod';
import { anyObject } from '../lib/any-object.ts';
import { isPlainName } from '../lib/text/plain-name.ts';
import { DateTimeInput } from '../lib/time/date-time-input.ts';
import { isWeakPassword } from './passwords/weak-passwords.ts';
import { PERMISSIONS, ROLES } from './principal.ts';
import { countTargets } from './scope.ts';

/** RFC 5321: a path of at most 256 characters, less the angle brackets. */
const MAX_EMAIL = 254;
const MAX_NAME = 200;
const MIN_PASSWORD = 8;
const MAX_PASSWORD_BYTES = 1024;

/** Counts characters as JSON Schema does, not UTF-16 units. Does not count a text that is certainly too long. */
function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

/** An address as it is typed at a sign-in: any text that is no longer than an address. */
const TypedEmail = z
  .string()
  .trim()
  .refine((text) => hasAtMost(text, MAX_EMAIL), {
    error: `must have at most ${MAX_EMAIL} characters`,
    abort: true,
  })
  .meta({ maxLength: MAX_EMAIL });

/**
 * Without characters that have a meaning in a mail header (RFC 5322, "specials"): `a,b@example.com` would be two
 * recipients there, and a link for one address would go to another.
 */
export const Email = TypedEmail.regex(
  /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/,
  'must be an e-mail address',
).refine(isPlainName, 'must be an e-mail address');

/** A person's or token's name. Any visible characters; the store drops those that have a meaning to git. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .refine((text) => hasAtMost(text, MAX_NAME), { error: `must have at most ${MAX_NAME} characters`, abort: true })
  .refine(isPlainName, 'must not contain control characters or marks that change the direction of writing')
  .meta({ maxLength: MAX_NAME });

/** A password as it is typed at a sign-in: an old one may be short or common. */
export const TypedPassword = z
  .string()
  .refine((text) => text.length <= MAX_PASSWORD_BYTES && Buffer.byteLength(text) <= MAX_PASSWORD_BYTES, {
    error: `must have at most ${MAX_PASSWORD_BYTES} bytes`,
    abort: true,
  });

export const Password = TypedPassword.refine(
  (text) => [...text].length >= MIN_PASSWORD,
  `must have at least ${MIN_PASSWORD} characters`,
)
  .refine((text) => text.isWellFormed(), 'must be valid Unicode')
  .refine((text) => !isWeakPassword(text), 'is one of the 10,000 commonest passwords; choose another')
  .meta({ minLength: MIN_PASSWORD });

export const SiteId = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens');

const SiteIds = z.union([
  z.literal('*'),
  z
    .array(SiteId)
    .max(1000)
    .transform((ids) => [...new Set(ids)]),
]);
const Role = z.enum(ROLES);

export const LoginBody = z.object({
  email: TypedEmail,
  password: TypedPassword,
  code: z.string().max(100).optional().meta({ description: 'a code of the authenticator app, or a recovery code' }),
});
export const SetupBody = z.object({
  email: Email,
  password: Password,
  name: Name,
  setupToken: z.string().max(1024).optional().meta({ description: 'required if `tokenRequired` is true' }),
});

/** The user whose sessions or tokens are meant; the caller if absent. */
export const OfUserQuery = z.object({ user: z.string().min(1).max(64).optional() });

export const ProfileBody = z.object({
  name: Name.optional(),
  email: Email.optional(),
  currentPassword: TypedPassword.optional(),
  newPassword: Password.optional(),
  zoom: z.int().min(1).max(1000).optional(),
  lastActiveOrg: Name.nullable().optional(),
  lastActiveSite: SiteId.nullable().optional(),
});

export const MAX_PREFERENCES_BYTES = 8 << 10;

export const PreferencesBody = z.object({
  preferences: anyObject().meta({
    description: `merged by top-level keys, null removes one; ${MAX_PREFERENCES_BYTES} bytes of JSON at most`,
  }),
});

export const NewUserBody = z.object({
  email: Email,
  name: Name,
  role: Role,
  sites: SiteIds.default('*'),
  password: Password.optional(),
});

export const UserPatchBody = z.object({
  email: Email.optional(),
  name: Name.optional(),
  role: Role.optional(),
  sites: SiteIds.optional(),
  password: Password.optional(),
  suspended: z.boolean().optional(),
});

export const ResourceItem = z.object({
  scope: z.enum(['org', 'site']),
  effect: z.enum(['include', 'exclude']),
  targets: z.union([z.literal('*'), z.array(SiteId).max(1000)]),
});

/** All tokens are in one file, which every new token writes again. */
const MAX_TARGETS = 1000;

export const NewTokenBody = z.object({
  name: Name,
  permissions: z
    .array(z.enum(PERMISSIONS))
    .min(1)
    .max(100)
    .transform((list) => [...new Set(list)]),
  resources: z
    .array(ResourceItem)
    .max(100)
    .refine((items) => countTargets(items) <= MAX_TARGETS, `must have at most ${MAX_TARGETS} targets in total`)
    .optional(),
  notAfter: DateTimeInput.nullable().optional(),
  actor: z.enum(['user', 'ai']).optional(),
});

/** As a browser sends it in `Host`: lower case, names of other scripts in their ASCII form, without a final dot. */
const Host = z
  .string()
  .trim()
  .max(260, { abort: true })
  .transform((text) => toHost(text) ?? '')
  .refine((host) => host !== '', 'must be a host name, with or without a port');

function toHost(text: string): string | undefined {
  const [, name = '', port = ''] = /^([^\s/?#@\\:[\]]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.exec(text) ?? [];
  const url = name === '' ? null : URL.parse(`http://${name.replace(/\.$/, '')}`);
  return url ? url.hostname + port : undefined;
}

export const NewSiteBody = z.object({
  id: SiteId,
  configPath: z.string().min(1).max(4096).refine(isPlainName, 'must be a path'),
  org: SiteId.default('default'),
  hosts: z
    .array(Host)
    .max(100)
    .transform((hosts) => [...new Set(hosts)])
    .default([]),
});

export type SetupInput = z.output<typeof SetupBody>;
export type ProfileInput = z.output<typeof ProfileBody>;
export type NewUserInput = z.output<typeof NewUserBody>;
export type UserPatch = z.output<typeof UserPatchBody>;
export type NewTokenInput = z.output<typeof NewTokenBody>;
export type NewSiteInput = z.output<typeof NewSiteBody>;
