// An access token as it is stored (never the token itself, only its SHA-256) and its rights. Pure.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { toHomes } from '../audit-homes.ts';
import { type AuditedChange, listChanges, Unaudited } from '../audited-file.ts';
import { ResourceItem } from '../input.ts';
import { heldBy, withContained } from '../permissions.ts';
import { PERMISSIONS, type Principal } from '../principal.ts';
import { coversEverySite, coversSite, type SiteScope } from '../scope.ts';
import type { LastSeenAt } from '../sessions/last-seen.ts';
import { mayTouchSite, type User } from '../users/user.ts';

export const StoredToken = z.object({
  id: z.string().min(1),
  userId: z.string().min(1),
  name: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  resources: z.array(ResourceItem),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  masked: z.string(),
  createdAt: z.string(),
  notAfter: z.string().nullable(),
  /** Who uses the token; a person if absent. */
  actor: z.enum(['user', 'ai']).optional(),
  /** The owner's `tokenEpoch` when the token was made; 0 if absent. */
  epoch: z.int().optional(),
  lastUsedAt: z.string().optional(),
  lastUsedFrom: z.string().optional(),
});
export type Token = z.output<typeof StoredToken>;

export const TokensFile = z.object({ version: z.literal(1), tokens: z.array(StoredToken), unaudited: Unaudited });
export type TokensFile = z.output<typeof TokensFile>;

/** For the audit of the owner's sites: each token's rights and owner. */
export function reportTokens(
  before: TokensFile,
  after: TokensFile,
  sitesOf: (userId: string) => SiteScope | undefined,
): AuditedChange[] {
  const keys = ['userId', 'name', 'permissions', 'resources', 'notAfter', 'actor'] as const;
  const changes = listChanges('token', before.tokens, after.tokens, keys);
  if (changes.length === 0) return [];
  const owners = new Map([...before.tokens, ...after.tokens].map(({ id, userId }) => [id, userId]));
  return changes.flatMap((one) => toHomes(one, sitesOf(owners.get(one.target) ?? '') ?? '*'));
}

/** A token as its owner sees it. */
export interface ShownToken
  extends Pick<Token, 'id' | 'name' | 'permissions' | 'resources' | 'masked' | 'createdAt' | 'notAfter'> {
  actor: 'user' | 'ai';
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
}

/** A token that remains valid after a new password, as its owner is shown it. */
export type RemainingToken = Pick<Token, 'id' | 'name' | 'masked'>;

export function toShownToken(token: Token): ShownToken {
  const { id, name, permissions, resources, masked, createdAt, notAfter } = token;
  const { actor = 'user', lastUsedAt = null, lastUsedFrom = null } = token;
  return { id, name, permissions, resources, masked, createdAt, notAfter, actor, lastUsedAt, lastUsedFrom };
}

/** The token with its last use, if that is newer than the stored one. */
export function withUse(token: Token, seen: LastSeenAt | undefined): Token {
  if (!seen || seen.atMs <= Date.parse(token.lastUsedAt ?? '1970-01-01')) return token;
  return { ...token, lastUsedAt: new Date(seen.atMs).toISOString(), lastUsedFrom: seen.address };
}

/** False if the owner is suspended, or all the owner's tokens were ended after this one was made. */
export function isHeld(token: Token, owner: User): boolean {
  return !owner.suspended && (token.epoch ?? 0) === (owner.tokenEpoch ?? 0);
}

export const TOKEN_FORM = /^cms_[0-9a-f]{64}$/;

/** interface.md, Limits: the first 10 and the last 4 characters. */
export function toMasked(token: string): string {
  return `${token.slice(0, 10)}…${token.slice(-4)}`;
}

export function toTokenHash(token: string): string {
  return hash('sha256', token);
}

export function isExpired(token: Token, nowMs: number): boolean {
  return token.notAfter !== null && Date.parse(token.notAfter) <= nowMs;
}

/** The token's principal: the rights it was given, less those that its owner has lost since. */
export function toTokenPrincipal(token: Token, owner: User): Principal {
  const held = heldBy(owner.role);
  return {
    kind: 'token',
    userId: owner.id,
    email: owner.email,
    name: owner.name,
    role: owner.role,
    tokenId: token.id,
    madeAt: token.createdAt,
    ...(token.actor === 'ai' ? { isAgent: true, aiModel: token.name } : {}),
    permissions: new Set([...withContained(token.permissions)].filter((permission) => held.has(permission))),
    lastActiveSite: null,
    mayTouch: (site) => mayTouchSite(owner, site.id) && coversSite(token.resources, site),
    allSites: owner.sites === '*' && coversEverySite(token.resources),
  };
}
