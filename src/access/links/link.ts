// The links that are mailed to people: set a new password, accept an invitation, confirm an address. Pure. The user's
// record stores a link as a hash, so that one write uses up the link and makes the change that it is for.
import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';

export const LINK_KINDS = ['reset', 'invite', 'email'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

const StoredLink = z.object({
  sha256: z.string(),
  /** ISO 8601; the link is not valid from then on. */
  until: z.string(),
  /** The address that the link confirms; only for `email`. */
  email: z.string().optional(),
});
export type StoredLink = z.output<typeof StoredLink>;

/** At most one of each kind: a new link replaces the old one. */
export const StoredLinks = z.partialRecord(z.enum(LINK_KINDS), StoredLink);
export type StoredLinks = z.output<typeof StoredLinks>;

const MINUTE_MS = 60_000;
export const LINK_TTL_MS: Record<LinkKind, number> = {
  reset: 30 * MINUTE_MS,
  email: 30 * MINUTE_MS,
  // The recipient does not expect an invitation and may read it only after the weekend.
  invite: 7 * 24 * 60 * MINUTE_MS,
};

const TOKEN_BYTES = 32;
export const LINK_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** `token` goes into the mail and is stored nowhere; `link` is the stored record. */
export function makeLink(kind: LinkKind, now: Date, email?: string): { token: string; link: StoredLink } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const until = new Date(now.getTime() + LINK_TTL_MS[kind]).toISOString();
  return { token, link: { sha256: toLinkHash(token), until, ...(email === undefined ? {} : { email }) } };
}

export function toLinkHash(token: string): string {
  return hash('sha256', token);
}

interface Linked {
  links?: StoredLinks | undefined;
}

/** The kind of the user's link with this hash; undefined if there is no such link or it has expired. */
export function findLink({ links }: Linked, sha256: string, now: Date): LinkKind | undefined {
  return LINK_KINDS.find((kind) => links?.[kind]?.sha256 === sha256 && isLive(links[kind], now));
}

function isLive({ until }: StoredLink, now: Date): boolean {
  return Date.parse(until) > now.getTime();
}

/** The hashes of all links of this user, expired ones included. */
export function linkHashes({ links }: Linked): string[] {
  return Object.values(links ?? {}).map(({ sha256 }) => sha256);
}

/** The record without links of these kinds. */
export function withoutLinks<U extends Linked>(user: U, kinds: readonly LinkKind[] = LINK_KINDS): U {
  const { links, ...rest } = user;
  if (!links) return user;
  const left = Object.entries(links).filter(([kind]) => !kinds.includes(kind as LinkKind));
  return (left.length === 0 ? rest : { ...rest, links: Object.fromEntries(left) }) as U;
}

export function withLink<U extends Linked>(user: U, kind: LinkKind, link: StoredLink): U {
  return { ...user, links: { ...user.links, [kind]: link } };
}

/** For the audit: which links were made and which were removed. Never the hash. */
export function linkChanges(before: Linked, after: Linked): { key: string; before: unknown; after: unknown }[] {
  return LINK_KINDS.flatMap((kind) => {
    const [old, fresh] = [before.links?.[kind], after.links?.[kind]];
    if (old?.sha256 === fresh?.sha256) return [];
    return [
      { key: `${kind}Link`, before: old ? { until: old.until } : null, after: fresh ? { until: fresh.until } : null },
    ];
  });
}
