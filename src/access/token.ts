// An access token as it is stored (never the token itself, only its SHA-256) and what it opens. Pure.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { toHomes } from './audit-homes.ts';
import { type Told, tellChanges, Unaudited } from './audited-file.ts';
import { ResourceItem } from './input.ts';
import { heldBy, withContained } from './permissions.ts';
import { PERMISSIONS, type Principal } from './principal.ts';
import { coversEverySite, coversSite, type Sites } from './scope.ts';
import { mayTouchSite, type User } from './user.ts';

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
});
export type Token = z.output<typeof StoredToken>;

export const TokensFile = z.object({ version: z.literal(1), tokens: z.array(StoredToken), unaudited: Unaudited });
export type TokensFile = z.output<typeof TokensFile>;

/** For the audit: what a token opens, and whose it is; in the audit of its owner's sites. */
export function tellTokens(
  before: TokensFile,
  after: TokensFile,
  sitesOf: (userId: string) => Sites | undefined,
): Told[] {
  const keys = ['userId', 'name', 'permissions', 'resources', 'notAfter'] as const;
  const told = tellChanges('token', before.tokens, after.tokens, keys);
  if (told.length === 0) return [];
  const owners = new Map([...before.tokens, ...after.tokens].map(({ id, userId }) => [id, userId]));
  return told.flatMap((one) => toHomes(one, sitesOf(owners.get(one.target) ?? '') ?? '*'));
}

/** A token as its owner sees it. */
export type ShownToken = Omit<Token, 'userId' | 'sha256'>;

export function toShownToken({ id, name, permissions, resources, masked, createdAt, notAfter }: Token): ShownToken {
  return { id, name, permissions, resources, masked, createdAt, notAfter };
}

export const TOKEN_FORM = /^cms_[0-9a-f]{64}$/;

/** interface.md, Limits: the first 10 and the last 4 characters. */
export function toMasked(token: string): string {
  return `${token.slice(0, 10)}…${token.slice(-4)}`;
}

export function toTokenHash(token: string): string {
  return hash('sha256', token);
}

export function isExpired(token: Token, now: Date): boolean {
  return token.notAfter !== null && Date.parse(token.notAfter) <= now.getTime();
}

/** What the token opens now: what it was given, less what its owner has lost since. */
export function toTokenPrincipal(token: Token, owner: User): Principal {
  const held = heldBy(owner.role);
  return {
    kind: 'token',
    userId: owner.id,
    email: owner.email,
    name: owner.name,
    role: owner.role,
    tokenId: token.id,
    permissions: new Set([...withContained(token.permissions)].filter((permission) => held.has(permission))),
    lastActiveSite: null,
    mayTouch: (site) => mayTouchSite(owner, site.id) && coversSite(token.resources, site),
    allSites: owner.sites === '*' && coversEverySite(token.resources),
  };
}
