// A site and the service's log, as clones and pushes need them.
import type { Audit } from '../audit/entry.ts';
import type { MediaService } from '../media/service.ts';
import type { Oid } from '../store/git/objects.ts';
import type { Odb } from '../store/repository/odb.ts';
import type { Store } from '../store/store.ts';
import type { Objection, PushChecks } from './push/checks.ts';

/** The parts of a site that clones and pushes use. */
export interface GitSite {
  readonly id: string;
  readonly store: Pick<
    Store,
    'repository' | 'odb' | 'log' | 'openQuarantine' | 'listRefs' | 'notes' | 'changeBranches' | 'inTime'
  >;
  readonly media: Pick<MediaService, 'sizeOfBytes' | 'bytesPath' | 'receive' | 'keepBytes' | 'noteNamed' | 'isNamed'>;
  readonly stored: { check(moreBytes: number): void; add(bytes: number): void; changed(): void };
  readonly audit: Pick<Audit, 'record'>;
  /** What the commits that `to` has and `from` does not bring in: what is refused, and what is only said. */
  checkIncoming(from: Oid | null, to: Oid, odb: Odb): Promise<{ problems: Objection[]; slips: Objection[] }>;
  readonly pushes: PushChecks;
  /** What is wrong with files of the repository, by path. */
  readonly warnings: ReadonlyMap<string, string>;
}

/** The service's logger. */
export interface GitLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
