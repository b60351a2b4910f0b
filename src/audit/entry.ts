// One line of the audit: who did what to what. It never holds a secret; whoever records it sees to that.
import { z } from 'zod';
import type { Principal } from '../access/principal.ts';

export const AuditEntry = z.object({
  id: z.string(),
  at: z.string().meta({ description: 'ISO 8601' }),
  /** Null for what belongs to the whole service: users, tokens, sites. */
  site: z.string().nullable(),
  actor: z.object({
    id: z.string().nullable().meta({ description: 'the user; null for the command line and the service itself' }),
    name: z.string(),
    email: z.string(),
    tokenId: z.string().optional().meta({ description: 'the access token that was used' }),
  }),
  action: z.string().meta({ description: 'such as `settings.updated` or `user.added`' }),
  target: z.string().nullable().meta({ description: 'the id of what was changed, where it has one' }),
  changes: z.array(z.object({ key: z.string(), before: z.unknown(), after: z.unknown() })),
});
export type AuditEntry = z.output<typeof AuditEntry>;

export type AuditActor = AuditEntry['actor'];
export type AuditChange = AuditEntry['changes'][number];

/** Records something that is about to be done to the site of a call, so that nothing is done that nobody knows of. */
export type RecordOnSite = (
  call: { site: { id: string; audit: Audit }; principal: Principal },
  action: string,
  changes: AuditChange[],
) => Promise<void>;

export interface Audit {
  /** Durable once it resolves. An entry whose id is there already is not added a second time. */
  append(entries: readonly AuditEntry[]): Promise<void>;
  /** One entry of what has just been done, with id and time. */
  record(entry: Omit<AuditEntry, 'id' | 'at'>): Promise<void>;
  /** An entry for a file that keeps it until it is appended, so that change and entry are one write. */
  toEntry(entry: Omit<AuditEntry, 'id' | 'at'>): AuditEntry;
  /** Newest first. */
  list(scope: AuditScope, page: { limit: number; offset: number }): Promise<{ entries: AuditEntry[]; total: number }>;
  /** All of it as JSON lines, oldest first. */
  stream(scope: AuditScope): AsyncGenerator<Buffer>;
}

/** Whose entries are wanted. */
export interface AuditScope {
  /** Sites, and null for those of the whole service. */
  sites: readonly (string | null)[];
  /** Whether entries about users, sign-ins and access tokens are. */
  withTeam: boolean;
}

/** True for what only those may see who manage the team. */
export function isAboutTeam(action: string): boolean {
  return /^(?:user|session|token)\./.test(action);
}
