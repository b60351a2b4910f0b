// One push from its commands to its report: unpacked beside the repository, examined, and only then put under the
// branch. Errors after the answer has begun go into the report, where people who push read them.
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { isOfSource } from '../../content/relations/source-warnings.ts';
import { isOfShared } from '../../content/unique/unique-warnings.ts';
import { ServiceError, toStorageError } from '../../lib/errors.ts';
import { nextTurn } from '../../lib/queues/slices.ts';
import type { NotShown } from '../../store/git/not-shown.ts';
import { MAIN } from '../../store/repository/refs.ts';
import type { GitLogger, GitSite } from '../git-site.ts';
import type { GitProgram } from '../program/program.ts';
import { sizeOf } from '../repository/size.ts';
import type { Objection, PushChecks } from './checks.ts';
import { type Examined, examine, toObjectionLine } from './examine.ts';
import { examineChange } from './examine-change.ts';
import { noteNamedBytes } from './missing-bytes.ts';
import { advanceMain, LOCKED, moveChanges, moveTogether } from './move.ts';
import type { Pusher } from './pusher.ts';
import { createRecord } from './record.ts';
import { type Outcome, toReport } from './report.ts';
import type { Command, PushRequest } from './request.ts';
import { type RefsNow, refuseCommands } from './rules.ts';
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
/** Reports of what a push brought twice, or left without a source. */
const MAX_SAID = 50;
const KEEP_ALIVE = Buffer.from('0005\x02');

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
  const refusal = log.status().refusal ?? overQuota(parts, 0);
  const refusals = refuseCommands(commands, refsNow(site));
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
    const isRemoval = commands.every(({ to }) => to === null);
    if (isRemoval) await drain(pack, packBytes); // git sends no pack then
    const unpacked = isRemoval ? 'accepted' : await unpack({ program: parts.program, env, pack, signal, packBytes });
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

/** The reason if the site has no space for so many bytes more. A push that only removes branches needs none. */
function overQuota({ site, request }: PushParts, moreBytes: number): ServiceError | undefined {
  if (request.commands.every(({ to }) => to === null)) return undefined;
  try {
    site.stored.check(moreBytes);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

async function acceptUnpacked(
  parts: PushParts,
  unpacked: Unpacked,
  quarantine: OpenQuarantine,
  env: Record<string, string>,
): Promise<Outcome> {
  if (unpacked === 'accepted') {
    const bytes = await sizeOf(quarantine.objects);
    const refusal = overQuota(parts, bytes);
    if (refusal) return refuseWrites(parts, refusal);
    // From here on it counts for other pushes; a measurement finds what was refused after all.
    parts.site.stored.add(bytes);
    try {
      return await accept(parts, quarantine, env);
    } finally {
      parts.site.stored.changed();
    }
  }
  if ('problems' in unpacked) return refusePack(parts, unpacked.problems);
  parts.signal.throwIfAborted(); // then this is why git ended
  return { ...refuseWrites(parts, unpacked.trouble), unpack: 'the objects were not accepted' };
}

async function accept(parts: PushParts, quarantine: OpenQuarantine, env: Record<string, string>): Promise<Outcome> {
  const { site, request, signal, logger } = parts;
  const { commands } = request;
  const startedMs = performance.now();
  const examined: ExaminedRef[] = [];
  for (const command of commands) {
    const { ref, to } = command;
    const same = ref === MAIN ? undefined : examined.find((one) => one.ref !== MAIN && one.to === to);
    const found = same ? { ...same, remarks: [] } : await examineRef(parts, command, quarantine, env);
    if ('refused' in found) return refuseFor(parts, command.ref, found.refused, found.messages);
    examined.push({ ...found, ...command });
  }
  signal.throwIfAborted();
  const changes = examined.filter(({ ref }) => ref !== MAIN);
  const install = (): Promise<Outcome> => installAndMove(parts, quarantine, examined);
  const { changeBranches } = site.store;
  const outcome = await (changes.length === 0
    ? install()
    : // Another push may have moved or made branches since.
      changeBranches.alone(() => {
        const refusals = refuseCommands(commands, refsNow(site));
        return refusals ? refuse(parts, [...refusals]) : install();
      }));
  if (outcome.refs.some(({ refused }) => refused !== undefined)) return outcome;
  const ms = Math.round(performance.now() - startedMs);
  const moved = examined.map(({ ref, from, to, commits }) => ({ ref, from, to, commits }));
  logger.info({ ...who(parts), ...(moved.length === 1 ? moved[0] : { moved }), ms }, 'push accepted');
  return outcome;
}

type ExaminedRef = Command & Exclude<Awaited<ReturnType<typeof examineRef>>, { refused: string }>;

function refsNow({ store }: GitSite): RefsNow {
  return { head: store.log.status().gitHead, refs: store.listRefs() };
}

async function examineRef(
  parts: PushParts,
  { ref, from, to }: Command,
  { odb }: OpenQuarantine,
  env: Record<string, string>,
): Promise<Examined> {
  if (to === null) return { commits: 0, arrived: [] };
  return ref === MAIN ? examine({ ...parts, odb, env, from, to }) : examineChange({ ...parts, odb, env, to });
}

async function installAndMove(
  parts: PushParts,
  quarantine: OpenQuarantine,
  examined: readonly ExaminedRef[],
): Promise<Outcome> {
  const { site, signal } = parts;
  const main = examined.find(({ ref }) => ref === MAIN);
  const changes = examined.filter(({ ref }) => ref !== MAIN);
  const record = createRecord(parts, examined, main?.arrived ?? []);
  let newLocks: Objection[] = [];
  const notShown: string[] = [];
  const arrived = new Set(examined.flatMap((one) => one.arrived));
  const absent = await noteNamedBytes(site.media, quarantine.odb, [...arrived]);

  async function moveMain({ from, to }: Command): Promise<Outcome | undefined> {
    const outcome = await advanceMain(site, { from, to: to! }, signal, {
      isFree(waiting: Parameters<PushChecks['findNewLocks']>[2]): boolean {
        newLocks = site.pushes.findNewLocks(from, to!, waiting, quarantine.odb);
        return newLocks.length === 0;
      },
      record: record.before,
      onNotShown: (found: readonly NotShown[]): void => void notShown.push(...found.map(toNotShownLine)),
    });
    if (outcome === 'moved') return undefined;
    return outcome === 'changed'
      ? refuseFor(parts, MAIN, 'fetch first', newLocks.map(toObjectionLine))
      : refuseFor(parts, MAIN, LOCKED);
  }

  return quarantine
    .install(async (): Promise<Outcome> => {
      const remarks = examined.flatMap((one) => one.remarks ?? []);
      const known = new Set(site.warnings.keys());
      const toOutcome = async (refs: Outcome['refs']): Promise<Outcome> => {
        const shared = main ? await findReported(site, known) : [];
        return { unpack: 'ok', refs, messages: [...notShown, ...shared, ...absent, ...remarks] };
      };
      const moving = { ...parts, record };
      if (parts.request.capabilities.has('atomic') && examined.length > 1) {
        await record.before();
        const failed = await moveTogether(moving, changes, async () => main && (await moveMain(main)));
        if (!failed) return toOutcome(examined.map(({ ref }) => ({ ref })));
        await record.failed();
        return 'refs' in failed ? failed : refuseFor(parts, failed.ref, failed.refused);
      }
      const refused = main ? await moveMain(main) : await record.before();
      if (refused) {
        await record.failed();
        return refused;
      }
      return toOutcome([...(main ? [{ ref: MAIN }] : []), ...(await moveChanges(moving, changes))]);
    })
    .catch(async (error: unknown) => {
      await record.failed();
      throw error;
    });
}

/** What the push brought twice, or has left without its source: it is shown, and the operator gets the same reports. */
async function findReported({ warnings }: GitSite, known: ReadonlySet<string>): Promise<string[]> {
  // They are reported in the turn after the files were read.
  await nextTurn();
  await nextTurn();
  const found = [...warnings].filter(
    ([path, problem]) => !known.has(path) && (isOfShared(problem) || isOfSource(problem)),
  );
  const lines = found.slice(0, MAX_SAID).map(([path, problem]) => `"${path}" ${problem}`);
  const more = found.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more such documents`] : lines;
}

/** For the pusher. */
function toNotShownLine({ path, field, commit }: NotShown): string {
  const what = field === '*' ? `"${path}"` : `field "${field}" of "${path}"`;
  return `${what} was changed here at the same time: that change is shown, and yours is kept in ${commit.slice(0, 10)}`;
}

/** `refusals` are the refs, each with the reason why it was not moved. */
function refuse(parts: PushParts, refusals: [string, string][], messages: readonly string[] = []): Outcome {
  parts.logger.info({ ...who(parts), reasons: toReasons(refusals), problems: messages.length }, 'push refused');
  return toRefusal(refusals, messages);
}

/** If one ref is refused, none is moved. */
function refuseFor(parts: PushParts, ref: string, refused: string, messages: readonly string[] = []): Outcome {
  const others = parts.request.commands.filter((one) => one.ref !== ref);
  const why = `not moved, because ${ref} is refused`;
  return refuse(parts, [[ref, refused], ...others.map((one): [string, string] => [one.ref, why])], messages);
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
