// A user as it is stored, and as it is shown. Pure. What leaves this folder never carries the hash or the epoch.
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
  /** Counts the passwords; a session of an earlier one is over. */
  epoch: z.int(),
  createdAt: z.string(),
  /** True while nobody gets in as this user. */
  suspended: z.boolean().optional(),
  /** Counts how often the access tokens were ended all at once; those made before are over. 0 where it is absent. */
  tokenEpoch: z.int().optional(),
  /** Was invited and has not set a password yet. */
  invited: z.literal(true).optional(),
  links: StoredLinks.optional(),
  oneTimeCodes: StoredCodes.optional(),
  pendingCodes: PendingCodes.optional(),
  provider: ProviderAccount.optional(),
});
export type User = z.output<typeof StoredUser>;

export const UsersFile = z.object({ version: z.literal(1), users: z.array(StoredUser), unaudited: Unaudited });
export type UsersFile = z.output<typeof UsersFile>;

/** The user of interface.md, field by field. */
export interface ShownUser {
  id: string;
  email: string;
  name: string;
  role: Role;
  siteRole: string | null;
  zoom: number;
}

/** A user as the people who manage the team see it. */
export interface TeamMember extends ShownUser {
  sites: SiteScope;
  createdAt: string;
  suspended: boolean;
  /** Was invited and has not been here yet. */
  invited?: true;
  oneTimeCodes?: true;
}

export function toShownUser({ id, email, name, role, siteRole, zoom }: User): ShownUser {
  return { id, email, name, role, siteRole, zoom };
}

export function toTeamMember(user: User): TeamMember {
  const { sites, createdAt, invited, oneTimeCodes } = user;
  return {
    ...toShownUser(user),
    sites,
    createdAt,
    suspended: user.suspended === true,
    ...(invited ? { invited } : {}),
    ...(oneTimeCodes ? { oneTimeCodes: true } : {}),
  };
}

/** What makes two addresses the same account: case, surrounding space and Unicode form do not count. */
export function emailKey(email: string): string {
  return normalize(email.trim(), 'NFC').toLowerCase();
}

export function mayTouchSite(user: User, siteId: string): boolean {
  return user.sites === '*' || user.sites.includes(siteId);
}

/** A session that opens nothing but its own set-up of one-time codes: no permissions, no role, no sites. */
export function heldBack(principal: Principal): Principal {
  return {
    ...principal,
    role: null,
    permissions: new Set(),
    allSites: false,
    heldBack: 'your role wants one-time codes: set them up first (POST /api/admin/profile/one-time-codes)',
  };
}

/** Who a signed-in user is to the rest of the service. */
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
