// A user as it is stored and as it is shown. Pure. The password hash and the epoch never leave this folder.
import { z } from 'zod';
import { normalize } from '../../lib/text/stream-safe.ts';
import { Unaudited } from '../audited-file.ts';
import { PendingCodes, StoredCodes } from '../codes/one-time-codes.ts';
import { StoredLinks } from '../links/link.ts';
import { ProviderAccount } from '../oidc/provider-account.ts';
import { isPhc } from '../passwords/passwords.ts';
import { heldBy } from '../permissions.ts';
import { type Principal, ROLES, type Role } from '../principal.ts';
import type { SiteScope } from '../scope.ts';

export const StoredUser = z.object({
  id: z.string().min(1),
  email: z.string().min(1),
  name: z.string(),
  role: z.enum(ROLES),
  siteRole: z.string().nullable(),
  sites: z.union([z.literal('*'), z.array(z.string())]),
  zoom: z.int(),
  lastActiveOrg: z.string().nullable(),
  lastActiveSite: z.string().nullable(),
  passwordHash: z.string().refine(isPhc, 'not an argon2id hash'),
  /** Counts passwords and suspensions; a session with an earlier count has ended. */
  epoch: z.int(),
  createdAt: z.string(),
  /** True while nobody can sign in as this user. */
  suspended: z.boolean().optional(),
  /** Counts how often all access tokens were ended; a token with an earlier count has ended. 0 if absent. */
  tokenEpoch: z.int().optional(),
  /** True until an invited user sets a password. */
  invited: z.literal(true).optional(),
  links: StoredLinks.optional(),
  oneTimeCodes: StoredCodes.optional(),
  pendingCodes: PendingCodes.optional(),
  provider: ProviderAccount.optional(),
  /** What the pages that the user opens remember; nothing here reads it. */
  preferences: z.record(z.string(), z.unknown()).optional(),
});
export type User = z.output<typeof StoredUser>;

/** A person whose account was removed: history, and locks of fields, still name the id. */
const FormerUser = StoredUser.pick({ id: true, name: true, sites: true });
type FormerUser = z.output<typeof FormerUser>;

export const UsersFile = z.object({
  version: z.literal(1),
  users: z.array(StoredUser),
  /** The newest last. */
  former: z.array(FormerUser).optional(),
  unaudited: Unaudited,
});
export type UsersFile = z.output<typeof UsersFile>;

/** The user as interface.md defines it. */
export interface ShownUser {
  id: string;
  email: string;
  name: string;
  role: Role;
  siteRole: string | null;
  zoom: number;
}

/** A user as people who manage the team see it. */
export interface TeamMember extends ShownUser {
  sites: SiteScope;
  createdAt: string;
  suspended: boolean;
  /** True until the invitation is accepted. */
  invited?: true;
  oneTimeCodes?: true;
  /** True if the user signs in through the OpenID provider. */
  provider?: true;
}

export function toShownUser({ id, email, name, role, siteRole, zoom }: User): ShownUser {
  return { id, email, name, role, siteRole, zoom };
}

export function toTeamMember(user: User): TeamMember {
  const { sites, createdAt, invited, oneTimeCodes, provider } = user;
  return {
    ...toShownUser(user),
    sites,
    createdAt,
    suspended: user.suspended === true,
    ...(invited ? { invited } : {}),
    ...(oneTimeCodes ? { oneTimeCodes: true } : {}),
    ...(provider ? { provider: true } : {}),
  };
}

/** Two addresses with the same key are the same account: case, surrounding space and Unicode form do not count. */
export function emailKey(email: string): string {
  return normalize(email.trim(), 'NFC').toLowerCase();
}

export function mayTouchSite(user: Pick<User, 'sites'>, siteId: string): boolean {
  return user.sites === '*' || user.sites.includes(siteId);
}

/** True if the two have a site in common, so that each may know of the other's account. */
export function sharesSite(a: Pick<User, 'sites'>, b: Pick<User, 'sites'>): boolean {
  return a.sites === '*' || b.sites === '*' || b.sites.some((id) => mayTouchSite(a, id));
}

/** A session that may only set up one-time codes: it has no permissions, no role and no sites. */
export function heldBack(principal: Principal): Principal {
  return {
    ...principal,
    role: null,
    permissions: new Set(),
    allSites: false,
    heldBack: 'your role requires one-time codes: set them up first (POST /api/admin/profile/one-time-codes)',
  };
}

/** The principal of a signed-in user. */
export function toSessionPrincipal(user: User): Principal {
  return {
    kind: 'session',
    userId: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    tokenId: null,
    permissions: heldBy(user.role),
    lastActiveSite: user.lastActiveSite,
    mayTouch: (site) => mayTouchSite(user, site.id),
    allSites: user.sites === '*',
  };
}
