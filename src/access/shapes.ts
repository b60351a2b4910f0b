// The answers of this folder as schemas, for the API description.
import { z } from 'zod';
import { ResourceItem } from './input.ts';
import { PERMISSIONS, ROLES } from './principal.ts';

export const UserShape = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  siteRole: z.string().nullable(),
  zoom: z.int(),
});

const Sites = z.union([z.literal('*'), z.array(z.string())]);

export const TeamMemberShape = UserShape.extend({
  sites: Sites,
  createdAt: z.iso.datetime(),
  suspended: z.boolean(),
  invited: z.literal(true).optional().meta({ description: 'until the invitation is accepted' }),
  oneTimeCodes: z.literal(true).optional().meta({ description: 'if the user signs in with a code' }),
  provider: z.literal(true).optional().meta({ description: 'if the user signs in through the OpenID provider' }),
  lastSeenAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'null if no use is known, or if the user has more rights than the caller' }),
  signedIn: z
    .boolean()
    .meta({ description: 'a session of the user is open; false if the user has more rights than the caller' }),
  manageable: z.boolean().meta({ description: 'false if the user has more rights than the caller' }),
  lastAdmin: z
    .literal(true)
    .optional()
    .meta({ description: 'the user cannot be removed, suspended or given fewer rights' }),
});
export const PasswordLinkShape = z.object({
  url: z.string().optional().meta({ description: 'the link to hand over, if mail is not set up' }),
});
export const InvitedUserShape = TeamMemberShape.extend({
  inviteUrl: z.string().optional().meta({ description: 'the link to hand over, if mail is not set up' }),
});
export const AddedUserShape = TeamMemberShape.extend({ password: z.string().optional() });

export const SignedInShape = z.object({ ok: z.boolean(), email: z.string(), name: z.string() });
export const MeShape = z.object({ user: UserShape.nullable() });
export const SetupStateShape = z.object({
  hasUsers: z.boolean(),
  tokenRequired: z.boolean().optional().meta({ description: 'true if the set-up needs `setupToken`' }),
});
export const OkShape = z.object({ ok: z.boolean() });
const RemainingTokens = z
  .array(z.object({ id: z.string(), name: z.string(), masked: z.string() }))
  .optional()
  .meta({ description: 'after a new password: the access tokens that remain valid' });

/** The user whose address or password was set by a link. */
export const AddressSetShape = z.object({ ok: z.boolean(), email: z.string(), name: z.string() });
export const PasswordSetShape = AddressSetShape.extend({ tokens: RemainingTokens });
export const SignInMethodsShape = z.object({
  password: z.boolean(),
  reset: z.boolean().meta({ description: 'true if a new password can be requested by mail' }),
  openId: z.object({ name: z.string(), url: z.string() }).nullable(),
});
export const CodeSecretShape = z.object({
  secret: z.string().meta({ description: 'base 32' }),
  uri: z.string().meta({ description: '`otpauth://`, for a QR code' }),
});
export const RecoveryCodesShape = z.object({ recoveryCodes: z.array(z.string()) });
export const SuccessShape = z.object({ success: z.boolean() });

export const ProfileShape = z.object({
  user: UserShape,
  lastActiveOrg: z.string().nullable(),
  lastActiveSite: z.string().nullable(),
  permissions: z.array(z.enum(PERMISSIONS)),
  sites: z.array(z.object({ id: z.string(), org: z.string() })),
  allSites: z.boolean().meta({ description: 'true for every site, and those to come' }),
  oneTimeCodes: z.object({
    on: z.boolean(),
    wanted: z.boolean().meta({ description: 'the role requires them; the user may do nothing else until they are on' }),
    recoveryCodesLeft: z.int(),
  }),
  preferences: z.record(z.string(), z.unknown()).meta({ description: 'what the user’s pages remember' }),
});
export const ProfileUpdatedShape = ProfileShape.extend({
  ok: z.boolean(),
  emailPending: z
    .string()
    .optional()
    .meta({ description: 'the new address, which takes effect when the link that was mailed to it is used' }),
  tokens: RemainingTokens,
});

export const PeopleShape = z.object({ people: z.array(z.object({ id: z.string(), name: z.string() })) });

export const SessionShape = z.object({
  id: z.string(),
  userId: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().meta({ description: 'to within a minute; up to five are lost in a crash' }),
  userAgent: z.string(),
  address: z.string().meta({ description: 'the address it was last seen from' }),
  current: z.boolean().meta({ description: 'true for the session of this request' }),
});
export const EndedSessionsShape = z.object({ ended: z.int().meta({ description: 'how many' }) });
export const SessionListShape = z.object({ sessions: z.array(SessionShape), total: z.int() });

export const TokenShape = z.object({
  id: z.string(),
  name: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  resources: z.array(ResourceItem),
  masked: z.string(),
  createdAt: z.iso.datetime(),
  notAfter: z.iso.datetime().nullable(),
  actor: z
    .enum(['user', 'ai'])
    .meta({ description: '`ai`: changes made with the token count as an AI’s, which locked fields do not accept' }),
  lastUsedAt: z.iso.datetime().nullable().meta({ description: 'to within a minute; up to five are lost in a crash' }),
  lastUsedFrom: z.string().nullable().meta({ description: 'the address it was last used from' }),
});
export const CreatedTokenShape = TokenShape.extend({ token: z.string() });
export const TokenListShape = z.object({ tokens: z.array(TokenShape) });
export const UserListShape = z.object({
  users: z.array(TeamMemberShape),
  total: z.int(),
  invitesOnly: z.literal(true).optional().meta({
    description: 'there are users whom the caller does not see; the caller adds people by mailed invitations',
  }),
});

export const SiteShape = z.object({
  id: z.string(),
  org: z.string(),
  configPath: z.string(),
  hosts: z.array(z.string()),
  default: z
    .boolean()
    .meta({ description: 'anonymous requests that name no site get it, at a host that belongs to no site' }),
  addedAt: z.iso.datetime().optional().meta({ description: 'absent if the site was there from the start' }),
});
export const SiteListShape = z.object({ sites: z.array(SiteShape), total: z.int() });
