// A private file whose changes go into the audit. The file itself keeps the entry, written together with the change,
// until the audit has it: a crash in between loses neither, and no entry reports a change that was not made.
import { z } from 'zod';
import type { Audit, AuditActor, AuditChange, AuditEntry } from '../audit/entry.ts';
import type { InfoLogger } from '../data/info-logger.ts';
import type { PrivateFile } from '../data/private-file.ts';

/** The key of such a file for its entries. Not checked any further: this service wrote them. */
export const Unaudited = z
  .array(z.custom<AuditEntry>((value) => typeof value === 'object' && value !== null))
  .optional();

/** A file that keeps the entries that are not in the audit yet. */
export interface Audited {
  unaudited?: AuditEntry[] | undefined;
}

/** What happened to one item of the file. */
export interface AuditedChange {
  /** The site whose audit has it; absent for the audit of the service. */
  site?: string;
  action: string;
  target: string;
  changes: AuditChange[];
}

export interface AuditedFile<T> extends PrivateFile<T> {
  /** Without `by` the actor is the command line, which may do everything. */
  update<R>(change: (value: T) => readonly [value: T, result: R], by?: AuditActor): Promise<R>;
}

export const COMMAND_LINE: AuditActor = { id: null, name: 'command line', email: '' };

/** `report` compares the file's values before and after a change; the audit gets what it returns, and nothing else. */
export function auditFile<T extends Audited>(
  file: PrivateFile<T>,
  parts: { audit: Audit | undefined; report(before: T, after: T): AuditedChange[]; logger: InfoLogger },
): AuditedFile<T> {
  const { audit, report, logger } = parts;

  async function settle(audit: Audit): Promise<void> {
    const { unaudited } = file.read();
    if (!unaudited) return;
    try {
      await audit.append(unaudited);
      const known = new Set(unaudited.map(({ id }) => id));
      await file.update((value) => {
        const left = value.unaudited?.filter(({ id }) => !known.has(id)) ?? [];
        const { unaudited: _, ...rest } = value;
        return [left.length > 0 ? { ...value, unaudited: left } : (rest as T), undefined];
      });
    } catch (error) {
      // The file keeps the entries durably; the next change or start moves them to the audit.
      logger.info({ err: error }, 'the audit could not be written');
    }
  }

  if (audit) void settle(audit);

  return {
    read: file.read,
    async update(change, by = COMMAND_LINE) {
      if (!audit) return file.update(change);
      const result = await withSpace(audit, by, (mayEnter) =>
        file.update((value) => {
          const [next, made] = change(value);
          if (next === value) return [value, made];
          const entries = report(value, next).map((change) => audit.toEntry({ site: null, actor: by, ...change }));
          mayEnter(entries);
          return [entries.length === 0 ? next : { ...next, unaudited: [...(value.unaudited ?? []), ...entries] }, made];
        }),
      );
      await settle(audit);
      return result;
    },
  };
}

/** Thrown out of a change that the audit has not reserved space for, so that nothing of it is written. */
class NotReserved extends Error {
  readonly sites: readonly (string | null)[];
  readonly isUrgent: boolean;
  constructor(sites: readonly (string | null)[], isUrgent: boolean) {
    super('the audit has not reserved space for this change');
    this.sites = sites;
    this.isUrgent = isUrgent;
  }
}

/**
 * True if a change ends rights, or keeps an account in its owner's hands: a thief of a credential must not be able to make
 * so many changes that these are refused.
 */
function isUrgent({ action, actor, target, changes }: AuditEntry): boolean {
  if (action === 'token.removed' || action === 'user.removed') return true;
  return changes.some(
    ({ key, after }) => (key === 'suspended' && after === true) || (key === 'password' && target === actor.id),
  );
}

/**
 * Only a change itself knows whose audits it enters. It is tried, reserved for, and made at the second try.
 * @throws too_many_requests before anything has changed
 */
async function withSpace<R>(
  audit: Audit,
  by: AuditActor,
  update: (mayEnter: (entries: readonly AuditEntry[]) => void) => Promise<R>,
): Promise<R> {
  const reserved = new Set<string | null>();
  for (;;) {
    try {
      return await update((entries) => {
        const sites = [...new Set(entries.map(({ site }) => site))].filter((site) => !reserved.has(site));
        if (sites.length > 0) throw new NotReserved(sites, entries.every(isUrgent));
      });
    } catch (error) {
      if (!(error instanceof NotReserved)) throw error;
      await audit.reserve(error.sites, by, error);
      for (const site of error.sites) reserved.add(site);
    }
  }
}

/** Returns the items that were added, changed in one of `keys`, or removed. Secrets must not be among the keys. */
export function listChanges<I extends { id: string }>(
  noun: string,
  before: readonly I[],
  after: readonly I[],
  keys: readonly (keyof I & string)[],
  more: (old: I, fresh: I) => AuditChange[] = () => [],
): AuditedChange[] {
  const earlier = new Map(before.map((item) => [item.id, item]));
  const later = new Map(after.map((item) => [item.id, item]));
  const reported: AuditedChange[] = [];
  for (const fresh of after) {
    const old = earlier.get(fresh.id);
    if (old === fresh) continue;
    const changes = [
      ...keys.flatMap((key) => difference(key, old?.[key] ?? null, fresh[key] ?? null)),
      ...(old ? more(old, fresh) : []),
    ];
    if (changes.length > 0)
      reported.push({ action: `${noun}.${old ? 'changed' : 'added'}`, target: fresh.id, changes });
  }
  for (const old of before) {
    if (later.has(old.id)) continue;
    const changes = keys.flatMap((key) => difference(key, old[key] ?? null, null));
    reported.push({ action: `${noun}.removed`, target: old.id, changes });
  }
  return reported;
}

function difference(key: string, before: unknown, after: unknown): AuditChange[] {
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ key, before, after }];
}
