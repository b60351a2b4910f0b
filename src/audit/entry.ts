// One line of the audit: who changed what. It must not contain a secret; the recording code makes sure of that.
import { z } from 'zod';
import type { Principal } from '../access/principal.ts';
import type { TrailCheck } from './verify-trail.ts';

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string().meta({ description: 'ISO 8601' }),
  /** Null for entries about the whole service: users, tokens, sites. */
  site: z.string().nullable(),
  actor: z.object({
    id: z.string().nullable().meta({ description: 'the user; null for the command line and the service itself' }),
    name: z.string(),
    email: z.string(),
    tokenId: z.string().optional().meta({ description: 'the access token that was used' }),
  }),
  action: z.string().meta({ description: 'such as `settings.updated` or `user.added`' }),
  target: z.string().nullable().meta({ description: 'the id of the changed object, if it has one' }),
  changes: z.array(z.object({ key: z.string(), before: z.unknown(), after: z.unknown() })),
  prev: z.string().optional().meta({ description: 'SHA-256 of the line before it in the file; absent in old entries' }),
});
export type AuditEntry = z.output<typeof AuditEntry>;

export type AuditActor = AuditEntry['actor'];
export type AuditChange = AuditEntry['changes'][number];

/** Records an action on the site of a call before it is done, so that no action goes unrecorded. */
export type RecordOnSite = (
  call: { site: { id: string; audit: Audit }; principal: Principal },
  action: string,
  changes: AuditChange[],
) => Promise<void>;

export interface Audit {
  /**
   * Durable once it resolves. An entry with a known id is not added a second time. For changes that are made already:
   * those that follow are refused by `reserve`.
   */
  append(entries: readonly AuditEntry[]): Promise<void>;
  /**
   * Call it before a change whose entries go to the audits of these sites. `isUrgent` for changes that end rights or keep
   * an account in its owner's hands. @throws too_many_requests if the user has made more changes than may be kept
   */
  reserve(
    sites: readonly (string | null)[],
    actor: Pick<AuditActor, 'id'>,
    options?: { isUrgent?: boolean },
  ): Promise<void>;
  /** Reserves and appends one entry, with a new id and the current time. @throws too_many_requests */
  record(entry: Omit<AuditEntry, 'id' | 'at'>): Promise<void>;
  /** Makes an entry for a file that keeps it until it is appended, so that change and entry are one write. */
  toEntry(entry: Omit<AuditEntry, 'id' | 'at'>): AuditEntry;
  /** Newest first. */
  list(scope: AuditScope, page: AuditPage): Promise<{ entries: AuditEntry[]; total: number }>;
  /** All entries as JSON lines, oldest first. */
  stream(scope: AuditScope): AsyncGenerator<Buffer>;
  /** Checks the chain of one audit; null for that of the service. */
  verify(site: string | null): Promise<TrailCheck>;
}

/** A page of the entries that fit. */
export interface AuditPage {
  limit: number;
  offset: number;
  /** The user who acted. */
  user?: string | undefined;
  /** An action, or what it begins with up to its point: `settings.`. */
  action?: string | undefined;
  /** Milliseconds since 1970. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
}

/** Selects entries. */
export interface AuditScope {
  /** Ids of sites, and null for the whole service. */
  sites: readonly (string | null)[];
  /** Whether entries about users, sign-ins and access tokens are included. */
  withTeam: boolean;
}

/** Whether only callers with `team:manage` may see entries of the action. */
export function isAboutTeam(action: string): boolean {
  return /^(?:user|session|token)\./.test(action);
}
