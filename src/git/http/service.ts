// Clones and pushes of a site's repository: the door for every transport. Reading is git's own `upload-pack`; the
// service itself parses a push, because nothing of a push may be in the repository before it is accepted.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../lib/errors.ts';
import { createFairSlots, type FairSlotLimits } from '../../lib/queues/fair-slots.ts';
import type { GitLogger, GitSite } from '../git-site.ts';
import { toPacket } from '../pkt-line.ts';
import { createGitProgram, type Ended } from '../program/program.ts';
import { findTrouble } from '../program/trouble.ts';
import { answerPush } from '../push/push.ts';
import type { Pusher } from '../push/pusher.ts';
import { readPushRequest } from '../push/request.ts';
import { isShown, toAdvertisement } from './advertisement.ts';
import { findHidden } from './shown-objects.ts';
import { advertiseUpload, startUpload } from './upload.ts';
import { listWanted } from './wanted.ts';

export interface GitLimits {
  packBytes: number;
  /** How long a clone or fetch may be idle. */
  idleMs: number;
  /** How long the list of refs waits for the branch to have what is acknowledged. */
  catchUpMs: number;
  reading: Pick<FairSlotLimits, 'atOnce' | 'waiting' | 'waitMs'>;
  writing: Pick<FairSlotLimits, 'atOnce' | 'waiting' | 'waitMs'>;
}

export interface GitServiceParts {
  /** Where to look for the git program, as in PATH. */
  searchPath: string | undefined;
  logger: GitLogger;
  limits?: Partial<GitLimits>;
}

/** Who reads, and how. */
export interface GitClient {
  /** Whose share of the slots it takes. */
  caller: string;
  /** Its protocol version, as in GIT_PROTOCOL. */
  protocol: string;
}

export interface GitService {
  /** The answer to `GET info/refs`. */
  advertise(site: GitSite, service: 'git-upload-pack' | 'git-receive-pack', client: GitClient): Promise<Buffer>;
  /** The answer to a client's list of wanted and known commits. */
  upload(site: GitSite, request: Buffer, client: GitClient, signal: AbortSignal): Promise<Readable>;
  /** Those of the objects that no shown branch, tag or note reaches. */
  findHidden(
    site: GitSite,
    oids: Iterable<string>,
    client: { caller: string; signal: AbortSignal },
  ): Promise<Set<string>>;
  /** Receives a push; the answer begins when the whole request has been read. */
  receive(site: GitSite, body: AsyncIterable<Buffer>, pusher: Pusher, signal: AbortSignal): Promise<Readable>;
  close(): void;
}

const LIMITS: GitLimits = {
  packBytes: 512 << 20,
  idleMs: 60_000,
  catchUpMs: 10_000,
  reading: { atOnce: 8, waiting: 64, waitMs: 30_000 },
  writing: { atOnce: 4, waiting: 16, waitMs: 30_000 },
};

export function createGitService({ searchPath, logger, limits = {} }: GitServiceParts): GitService {
  const { packBytes, idleMs, catchUpMs, reading, writing } = { ...LIMITS, ...limits };
  const program = createGitProgram(searchPath);
  const readers = createFairSlots({ ...reading, full: tooMany });
  const writers = createFairSlots({ ...writing, full: tooMany });

  /**
   * The answer has every change acknowledged before the request, so that a push on an older state is a non-fast-forward.
   * If the branch cannot be moved, or not in time, the client gets the branch as it is: what it pushes is refused with
   * the reason.
   */
  async function catchUp(site: GitSite): Promise<void> {
    const late = new AbortController();
    const isLate = delay(catchUpMs, undefined, { signal: late.signal }).then(() => {
      throw new Error(`the branch did not move within ${catchUpMs} ms`);
    });
    await Promise.race([site.store.log.flush(), isLate])
      .catch((error: Error) => {
        logger.info({ site: site.id, reason: error.message }, 'a clone or push starts without the newest changes');
      })
      .finally(() => late.abort());
    isLate.catch(() => undefined); // it was aborted
    site.store.log.keepStill();
  }

  let isFound = false;
  /** Reports a missing git before the client sends its pack, not after. */
  async function findProgram(): Promise<void> {
    if (isFound) return;
    const ran = await program.run(['version']);
    const trouble = findTrouble(ran);
    if (trouble) throw trouble;
    if (ran.code !== 0) throw new Error(`git version ended with ${ran.code}: ${ran.stderr}`);
    isFound = true;
  }

  /** The answer to a request for what no shown ref reaches, in git's own words; undefined if there is nothing of it. */
  async function refuseHidden({ store }: GitSite, request: Buffer, signal: AbortSignal): Promise<Readable | undefined> {
    const wanted = listWanted(request);
    for (const { name, oid } of store.listRefs()) if (isShown(name)) wanted.delete(oid);
    const [hidden] = await findHidden({ program, repository: store.repository, signal }, wanted);
    if (hidden === undefined) return undefined;
    return Readable.from([toPacket(`ERR upload-pack: not our ref ${hidden}`)], { objectMode: false });
  }

  return {
    async advertise(site, service, { caller, protocol }) {
      if (service === 'git-receive-pack') {
        await catchUp(site);
        await findProgram();
        return toAdvertisement(site.store.listRefs());
      }
      await catchUp(site);
      const done = await readers.reserve({ site: site.id, caller });
      return advertiseUpload(program, site.store.repository, protocol).finally(done);
    },

    async upload(site, request, { caller, protocol }, signal) {
      const done = await readers.reserve({ site: site.id, caller }, () => !signal.aborted);
      const brokeOff = ({ code, signal: name, stderr }: Ended): void => {
        const reason = `git ended with ${name ?? code}: ${stderr.split('\n')[0]}`;
        logger.warn({ site: site.id, reason }, 'a clone or fetch broke off');
      };
      const { repository } = site.store;
      const refused = await refuseHidden(site, request, signal).catch((error) => {
        done();
        throw error;
      });
      if (refused) {
        done();
        return refused;
      }
      return startUpload({ program, repository, request, protocol, signal, idleMs, brokeOff, done });
    },

    async findHidden({ id, store }, oids, { caller, signal }) {
      const asked = [...oids];
      if (asked.length === 0) return new Set();
      const done = await readers.reserve({ site: id, caller }, () => !signal.aborted);
      return findHidden({ program, repository: store.repository, signal }, asked).finally(done);
    },

    async receive(site, body, pusher, signal) {
      const request = await readPushRequest(body);
      const holder = { site: site.id, caller: pusher.caller };
      const done = await writers.reserve(holder, () => !signal.aborted);
      return answerPush({ program, site, request, pusher, signal, packBytes, logger, done });
    },

    close: program.close,
  };
}

function tooMany(isOwn: boolean): ServiceError {
  const headers = { 'Retry-After': '10' };
  return isOwn
    ? new ServiceError('too_many_requests', 'too many of your clones and pushes, or of this site, run; let them end', {
        headers,
      })
    : new ServiceError('unavailable', 'too many clones and pushes at once; try again in a moment', { headers });
}
