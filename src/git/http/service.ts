// Clones and pushes of a site's repository: the door for whatever transport brings them. Reading is git's own
// `upload-pack`; a push is taken apart here, because nothing of it may be in the repository before it is accepted.
import type { Readable } from 'node:stream';
import type { Audit } from '../../audit/entry.ts';
import type { OtherSide, PushedFile } from '../../content/pushed-locks.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { LogLines } from '../../lib/log-lines.ts';
import { createSlots, type SlotLimits } from '../../lib/queues/slots.ts';
import type { Oid } from '../../store/git/objects.ts';
import type { LogEntry } from '../../store/log/entry.ts';
import type { Odb } from '../../store/repository/odb.ts';
import type { Store } from '../../store/store.ts';
import { answerPush, type Pusher } from '../push/push.ts';
import { readPushRequest } from '../push/request.ts';
import { toAdvertisement } from './advertisement.ts';
import { createGitProgram, type Ended } from './program.ts';
import { findTrouble } from './trouble.ts';
import { advertiseUpload, startUpload } from './upload.ts';

/** What is wrong with a commit; the path is empty where that is about all of it. */
export interface Objection {
  commit: Oid;
  path: string;
  message: string;
}

/** A site, as far as its repository is cloned and pushed to. */
export interface GitSite {
  readonly id: string;
  readonly store: Pick<Store, 'repository' | 'odb' | 'log' | 'openQuarantine' | 'listRefs' | 'notes' | 'inTime'>;
  readonly audit: Pick<Audit, 'record'>;
  /** What is wrong with the commits that `to` has and `from` has not. */
  checkIncoming(from: Oid | null, to: Oid, odb: Odb): Promise<Objection[]>;
  readonly pushes: PushChecks;
}

/** A new document that comes with metadata of these fields. */
export interface Brought {
  path: string;
  fields: readonly string[];
}

/** What the commits of a push are asked besides their files. */
export interface PushChecks {
  /** Which of these commits pass for the service's, and which of those it has made: the repository has them. */
  findForged(commits: readonly Oid[], odb: Odb): Promise<{ forged: Objection[]; ours: ReadonlySet<Oid> }>;
  /** Documents of a commit that touch what is locked, and do not say so in its message as they may. */
  findLocked(
    files: readonly PushedFile[],
    others: readonly OtherSide[],
    message: string,
    isAgent: boolean,
    odb: Odb,
  ): Promise<{ touched: { path: string; message: string }[]; brought: Brought[] }>;
  /** What changes that wait for the branch have locked, and the push from one commit to another changes. */
  findNewLocks(from: Oid | null, to: Oid, waiting: readonly LogEntry[], odb: Odb): Objection[];
}

export type GitLog = LogLines;

export interface GitLimits {
  packBytes: number;
  /** Nothing moves between git and a client that reads. */
  idleMs: number;
  reading: Pick<SlotLimits, 'atOnce' | 'waiting' | 'waitMs'>;
  writing: Pick<SlotLimits, 'atOnce' | 'waiting' | 'waitMs'>;
}

export interface GitServiceParts {
  /** Where the git program is looked for. */
  searchPath: string | undefined;
  log: GitLog;
  limits?: Partial<GitLimits>;
}

export interface GitService {
  /** What `GET info/refs` answers. `protocol` is what the client speaks, as in GIT_PROTOCOL. */
  advertise(site: GitSite, service: 'git-upload-pack' | 'git-receive-pack', protocol: string): Promise<Buffer>;
  /** The answer to what a client wants and has. */
  upload(site: GitSite, request: Buffer, protocol: string, signal: AbortSignal): Promise<Readable>;
  /** Takes a push in; the answer begins when all of the request has been read. */
  receive(site: GitSite, body: AsyncIterable<Buffer>, pusher: Pusher, signal: AbortSignal): Promise<Readable>;
  close(): void;
}

const LIMITS: GitLimits = {
  packBytes: 512 << 20,
  idleMs: 60_000,
  reading: { atOnce: 8, waiting: 64, waitMs: 30_000 },
  writing: { atOnce: 4, waiting: 16, waitMs: 30_000 },
};

export function createGitService({ searchPath, log, limits = {} }: GitServiceParts): GitService {
  const { packBytes, idleMs, reading, writing } = { ...LIMITS, ...limits };
  const program = createGitProgram(searchPath);
  const readers = createSlots({ ...reading, full: tooMany });
  const writers = createSlots({ ...writing, full: tooMany });

  /** A clone has what was acknowledged before it began, unless the branch cannot be moved now: then what there is. */
  async function catchUp(site: GitSite): Promise<void> {
    await site.store.log.flush().catch((error: Error) => {
      log.info({ site: site.id, reason: error.message }, 'a clone begins behind the log');
    });
  }

  let isThere = false;
  /** Whoever wants to push is told before the pack is sent, not after. */
  async function findProgram(): Promise<void> {
    if (isThere) return;
    const ran = await program.run(['version']);
    const trouble = findTrouble(ran);
    if (trouble) throw trouble;
    if (ran.code !== 0) throw new Error(`git version ended with ${ran.code}: ${ran.stderr}`);
    isThere = true;
  }

  return {
    async advertise(site, service, protocol) {
      if (service === 'git-receive-pack') {
        // Not brought up to date: the branch would move on under whoever has fetched it a moment ago.
        site.store.log.keepStill();
        await findProgram();
        return toAdvertisement(site.store.listRefs());
      }
      await catchUp(site);
      site.store.log.keepStill();
      const done = await readers.take();
      return advertiseUpload(program, site.store.repository, protocol).finally(done);
    },

    async upload(site, request, protocol, signal) {
      const done = await readers.take();
      const brokeOff = ({ code, signal: name, stderr }: Ended): void => {
        const reason = `git ended with ${name ?? code}: ${stderr.split('\n')[0]}`;
        log.warn({ site: site.id, reason }, 'a clone or fetch broke off');
      };
      const { repository } = site.store;
      return startUpload({ program, repository, request, protocol, signal, idleMs, brokeOff, done });
    },

    async receive(site, body, pusher, signal) {
      const request = await readPushRequest(body);
      const done = await writers.take();
      return answerPush({ program, site, request, pusher, signal, packBytes, log, done });
    },

    close: program.close,
  };
}

function tooMany(): ServiceError {
  return new ServiceError('unavailable', 'too many clones and pushes at once; try again in a moment', {
    headers: { 'Retry-After': '10' },
  });
}
