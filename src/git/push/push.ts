// One push from its commands to its report: unpacked beside the repository, examined, and only then put under the
// branch. Errors after the answer has begun go into the report, where people who push read them.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { toArrivalText } from '../../lib/arrival.ts';
import { ServiceError, toStorageError } from '../../lib/errors.ts';
import type { NotShown } from '../../store/git/not-shown.ts';
import type { GitLogger, GitSite } from '../git-site.ts';
import type { GitProgram } from '../program/program.ts';
import type { Objection, PushChecks } from './checks.ts';
import { examine, toObjectionLine } from './examine.ts';
import { noteNamedBytes } from './missing-bytes.ts';
import type { Pusher } from './pusher.ts';
import { type Outcome, toReport } from './report.ts';
import type { PushRequest } from './request.ts';
import { refuseCommands } from './rules.ts';
import { drain, quarantineEnv, type Unpacked, unpack } from './unpack.ts';

type OpenQuarantine = Awaited<ReturnType<GitSite['store']['openQuarantine']>>;

export interface PushParts {
  program: GitProgram;
  site: GitSite;
  request: PushRequest;
  pusher: Pusher;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  packBytes: number;
  logger: GitLogger;
  /** Called when the push has ended. */
  done(): void;
}

/** Proxies and clients give up on a silent connection; git's own server sends something as often. */
const KEEP_ALIVE_MS = 5000;
const KEEP_ALIVE = Buffer.from('0005\x02');
/** How long to wait for git's lock on the branch. */
const LOCK_MS = 5000;
const LOCK_LOOK_MS = 50;

/** Resolves when the whole request has been read. @throws ServiceError 413, 503; whatever the body throws. */
export async function answerPush(parts: PushParts): Promise<Readable> {
  const { site, request, signal, packBytes, done } = parts;
  const { commands, capabilities, pack, refused } = request;
  if (refused !== undefined) {
    await drain(pack, packBytes).finally(done);
    return Readable.from([toReport({ ...refuseAll(parts, refused, [refused]), unpack: refused }, capabilities)]);
  }
  if (commands.length === 0) {
    // This is how a client finds out whether it may push, before it sends much.
    await drain(pack, packBytes).finally(done);
    return Readable.from([]);
  }
  const { log } = site.store;
  log.poll();
  const { gitHead, refusal } = log.status();
  const refusals = refuseCommands(commands, gitHead);
  if (refusal || refusals) {
    await drain(pack, packBytes).finally(done);
    const outcome = refusal ? refuseWrites(parts, refusal) : refuse(parts, [...refusals!]);
    return Readable.from([toReport(outcome, capabilities)]);
  }
  let quarantine: OpenQuarantine | undefined;
  const leave = async (): Promise<void> => {
    try {
      await quarantine?.remove();
    } finally {
      done();
    }
  };
  try {
    quarantine = await site.store.openQuarantine();
    const env = quarantineEnv(site.store.repository, quarantine.objects);
    const unpacked = await unpack({ program: parts.program, env, pack, signal, packBytes });
    const opened = quarantine;
    let working: Promise<Outcome> | undefined;
    const work = (): Promise<Outcome> => {
      return (working = acceptUnpacked(parts, unpacked, opened, env).finally(leave));
    };
    // On a disk that does not answer, the work continues, and takes effect when the disk is back.
    const outcome = site.store.inTime(work).catch(async (error: unknown) => {
      if (!working) await leave();
      return fail(parts, error);
    });
    return Readable.from(reportOutcome(outcome, capabilities), { objectMode: false });
  } catch (error) {
    await leave();
    throw error;
  }
}

async function acceptUnpacked(
  parts: PushParts,
  unpacked: Unpacked,
  quarantine: OpenQuarantine,
  env: Record<string, string>,
): Promise<Outcome> {
  if (unpacked === 'accepted') return accept(parts, quarantine, env);
  if ('problems' in unpacked) return refusePack(parts, unpacked.problems);
  parts.signal.throwIfAborted(); // then this is why git ended
  return { ...refuseWrites(parts, unpacked.trouble), unpack: 'the objects were not accepted' };
}

async function accept(parts: PushParts, quarantine: OpenQuarantine, env: Record<string, string>): Promise<Outcome> {
  const { site, request, signal } = parts;
  const { ref, from, to } = request.commands[0] as { ref: string; from: string | null; to: string };
  const startedMs = performance.now();
  const examined = await examine({ ...parts, odb: quarantine.odb, env, from, to });
  if ('refused' in examined) {
    return refuse(parts, [[ref, examined.refused]], examined.messages);
  }
  signal.throwIfAborted();
  let newLocks: Objection[] = [];
  const notShown: string[] = [];
  let missing: string[] = [];
  const record = createRecord(parts, from, to, examined.arrived);
  const options = {
    isFree(waiting: Parameters<PushChecks['findNewLocks']>[2]): boolean {
      newLocks = site.pushes.findNewLocks(from, to, waiting, quarantine.odb);
      return newLocks.length === 0;
    },
    async record(): Promise<void> {
      await record.before();
      missing = await noteNamedBytes(site.media, examined.pointers);
    },
    onNotShown(found: readonly NotShown[]): void {
      notShown.push(...found.map(toNotShownLine));
    },
  };
  const outcome = await quarantine
    .install(() => advance(site, from, to, signal, options))
    .catch(async (error: unknown) => {
      await record.failed();
      throw error;
    });
  if (outcome !== 'moved') await record.failed();
  if (outcome === 'changed') return refuse(parts, [[ref, 'fetch first']], newLocks.map(toObjectionLine));
  if (outcome === 'locked') {
    return refuse(parts, [[ref, 'another git process has locked the branch; try again']]);
  }
  const ms = Math.round(performance.now() - startedMs);
  parts.logger.info({ ...who(parts), from, to, commits: examined.commits, ms }, 'push accepted');
  return { unpack: 'ok', refs: [{ ref }], messages: [...notShown, ...missing] };
}

/** For the pusher. */
function toNotShownLine({ path, field, commit }: NotShown): string {
  const what = field === '*' ? `"${path}"` : `field "${field}" of "${path}"`;
  return `${what} was changed here at the same time: that change is shown, and yours is kept in ${commit.slice(0, 10)}`;
}

/**
 * Records the pusher on the disk before the branch moves: in the audit and in the notes of the commits. If the push
 * fails after that, the audit gets an entry too; notes of commits that are not on the branch do no harm.
 */
function createRecord({ site, pusher }: PushParts, from: string | null, to: string, arrived: readonly string[]) {
  const { userId, tokenId, name, email, address, at } = pusher;
  let isAudited = false;
  const audit = (action: string): Promise<void> =>
    site.audit.record({
      site: site.id,
      actor: { id: userId, name, email, ...(tokenId === null ? {} : { tokenId }) },
      action,
      target: site.id,
      changes: [
        { key: 'main', before: from, after: to },
        { key: 'commits', before: null, after: arrived.length },
        { key: 'address', before: null, after: address },
      ],
    });
  const by = { id: userId, name, email };
  const text = toArrivalText({ via: 'push', at: at.toISOString(), by, tokenId, address, from, to });
  return {
    async before(): Promise<void> {
      if (!isAudited) await audit('repository.pushed');
      isAudited = true;
      // At every attempt: another push of the same commits may have written its notes meanwhile.
      await site.store.notes.add(arrived, text, { subject: `${arrived.length} commits pushed`, at });
    },
    async failed(): Promise<void> {
      if (isAudited) await audit('repository.push-failed');
    },
  };
}

type AdvanceArguments = Parameters<GitSite['store']['log']['advance']>[2];

async function advance(site: GitSite, from: string | null, to: string, signal: AbortSignal, options: AdvanceArguments) {
  const untilMs = performance.now() + LOCK_MS;
  const isAt = (commit: string | null): boolean => site.store.log.status().gitHead === commit;
  for (;;) {
    signal.throwIfAborted();
    const outcome = await site.store.log.advance(from, to, options);
    if (outcome === 'moved' || performance.now() > untilMs) return outcome;
    if (outcome === 'changed') {
      if (!isAt(from)) return outcome;
      // A field was locked a moment ago: refuse the push once that change can be fetched.
      await site.store.log.flush().catch(() => undefined); // if it fails, the push is refused when the time is up
      if (!isAt(from)) return outcome;
    }
    await delay(LOCK_LOOK_MS);
  }
}

/** `refusals` are the refs, each with the reason why it was not moved. */
function refuse(parts: PushParts, refusals: [string, string][], messages: readonly string[] = []): Outcome {
  parts.logger.info({ ...who(parts), reasons: toReasons(refusals), problems: messages.length }, 'push refused');
  return toRefusal(refusals, messages);
}

function refuseAll(parts: PushParts, refused: string, messages: readonly string[] = []): Outcome {
  return refuse(
    parts,
    parts.request.commands.map(({ ref }) => [ref, refused]),
    messages,
  );
}

/** For a full disk, a killed git, or a pending choice after a force-push: the same error as for writes over HTTP. */
function refuseWrites(parts: PushParts, error: ServiceError): Outcome {
  const refusals = parts.request.commands.map(({ ref }): [string, string] => [ref, error.message]);
  parts.logger.warn({ ...who(parts), reasons: toReasons(refusals), err: error }, 'push refused');
  return toRefusal(refusals, [error.message]);
}

function toReasons(refusals: readonly [string, string][]): string[] {
  return refusals.slice(0, 10).map(([ref, refused]) => `${ref}: ${refused}`);
}

function toRefusal(refusals: readonly [string, string][], messages: readonly string[]): Outcome {
  return { unpack: 'ok', refs: refusals.map(([ref, refused]) => ({ ref, refused })), messages };
}

function refusePack(parts: PushParts, messages: readonly string[]): Outcome {
  return { ...refuseAll(parts, 'unpacker error', messages), unpack: 'the objects were not accepted' };
}

/** A refusal of the log, a full disk, or a bug: the process log has a bug's error under the request's id. */
function fail(parts: PushParts, thrown: unknown): Outcome {
  const error = toStorageError(thrown);
  if (error instanceof ServiceError)
    return error.code === 'outcome_unknown'
      ? refuseAll(parts, 'outcome unknown', [error.message])
      : refuseWrites(parts, error);
  if (parts.signal.aborted) return refuseAll(parts, 'the client disconnected');
  parts.logger.error({ ...who(parts), err: error }, 'push failed');
  const refs = parts.request.commands.map(({ ref }) => ({ ref, refused: 'internal error' }));
  return { unpack: 'ok', refs, messages: [`internal error (request ${parts.pusher.requestId})`] };
}

function who({ site, pusher }: PushParts) {
  const { requestId, userId, tokenId } = pusher;
  return { requestId, site: site.id, user: userId ?? undefined, token: tokenId ?? undefined };
}

async function* reportOutcome(working: Promise<Outcome>, capabilities: ReadonlySet<string>): AsyncGenerator<Buffer> {
  const stop = new AbortController();
  const finished = working.finally(() => stop.abort());
  // Only a side-band can carry keep-alives.
  while (capabilities.has('side-band-64k') && !stop.signal.aborted) {
    const isSilent = await delay(KEEP_ALIVE_MS, true, { signal: stop.signal }).catch(() => false); // the work has ended
    if (isSilent) yield KEEP_ALIVE;
  }
  yield toReport(await finished, capabilities);
}
