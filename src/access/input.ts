// What the operations of this folder take. The limits are generous for people and small for files that are rewritten as a
// whole; control characters and angle brackets stay out because names and addresses become git authors.
import { z } from 'zod';
import { PERMISSIONS, ROLES } from './principal.ts';

/** interface.md, Limits: at least 8. At most 1 KiB, in bytes, so that nobody stores a novel. */
const MIN_PASSWORD = 8;
const MAX_PASSWORD_BYTES = 1024;

function isPlain(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\u2028\u2029<>]/u.test(text);
}

export const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
  .refine(isPlain, 'must be an e-mail address');

export const Name = z.string().trim().min(1).max(200).refine(isPlain, 'must not hold control characters, < or >');

export const Password = z
  .string()
  .refine((text) => [...text].length >= MIN_PASSWORD, `must have at least ${MIN_PASSWORD} characters`)
  .refine((text) => Buffer.byteLength(text) <= MAX_PASSWORD_BYTES, `must have at most ${MAX_PASSWORD_BYTES} bytes`)
  .refine((text) => text.isWellFormed(), 'must be valid Unicode')
  .meta({ minLength: MIN_PASSWORD });

export const SiteId = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens');

const SiteIds = z.union([z.literal('*'), z.array(SiteId).max(1000)]);
const Role = z.enum(ROLES);

export const LoginBody = z.object({
  email: z.string(),
  password: z.string(),
  code: z.string().max(100).optional().meta({ description: 'of the authenticator app, or a recovery code' }),
});
export const SetupBody = z.object({ email: Email, password: Password, name: Name });

/** Whose sessions or tokens; one's own without. */
export const OfUserQuery = z.object({ user: z.string().min(1).max(64).optional() });

export const ProfileBody = z.object({
  name: Name.optional(),
  email: Email.optional(),
  currentPassword: z.string().optional(),
  newPassword: Password.optional(),
  zoom: z.int().min(1).max(1000).optional(),
  lastActiveOrg: Name.nullable().optional(),
  lastActiveSite: SiteId.nullable().optional(),
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
});

export const ResourceItem = z.object({
  scope: z.enum(['org', 'site']),
  effect: z.enum(['include', 'exclude']),
  targets: z.union([z.literal('*'), z.array(SiteId).max(1000)]),
});

export const NewTokenBody = z.object({
  name: Name,
  permissions: z
    .array(z.enum(PERMISSIONS))
    .min(1)
    .max(100)
    .transform((list) => [...new Set(list)]),
  resources: z.array(ResourceItem).max(100).optional(),
  notAfter: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text).toISOString())
    .nullable()
    .optional(),
});

export const NewSiteBody = z.object({
  id: SiteId,
  configPath: z.string().min(1).max(4096).refine(isPlain, 'must be a path'),
  org: SiteId.default('default'),
});

export type SetupInput = z.output<typeof SetupBody>;
export type ProfileInput = z.output<typeof ProfileBody>;
export type NewUserInput = z.output<typeof NewUserBody>;
export type UserPatch = z.output<typeof UserPatchBody>;
export type NewTokenInput = z.output<typeof NewTokenBody>;
export type NewSiteInput = z.output<typeof NewSiteBody>;
