// A soak: clients, kills, chores and faults for an epoch, then a quiet moment in which git shows what happened and the
// checker finds what is wrong; repeated until the time is over or a rule is broken.

import { join } from 'node:path';
import { createClient } from '../../test/support/client.ts';
import { ADMIN, makePlace } from '../../test/support/process.ts';
import { createRandom } from '../../test/support/random.ts';
import { createChecker } from './check.ts';
import { createChores } from './chores.ts';
import { createSoakClient, sharedSlugs } from './client.ts';
import { createContributor } from './contribute.ts';
import { watchDisk } from './disk-probe.ts';
import { createFaults, envOf, type FaultName, loadsOf } from './faults/all.ts';
import { isWrite } from './fold-log.ts';
import { createFollower } from './follower.ts';
import type { Epoch, Operation, Violation } from './history.ts';
import { checkQuiet, readDocuments, untilFlushed } from './quiet.ts';
import { createSender, SHARED } from './sender.ts';
import { bringUp, pause } from './service.ts';
import { checkSlopes, toFigures } from './slopes.ts';
import { traceOf } from './trace.ts';
import { createVitals } from './vitals.ts';
import { git, headOf, readLine } from './witness.ts';

export interface SoakOptions {
  seed: number;
  clients: number;
  /**
   * New epochs begin until then, and longer until each fault has struck and there were enough kills and restarts, if
   * time allows.
   */
  forMs: number;
  mostMs?: number;
  leastKills?: number;
  epochMs: number;
  /** Average time between two kills or restarts. */
  calmMs: number;
  /** Average time between two chores on the repository. */
  choreMs: number;
  faults: readonly FaultName[];
  /** Average time between two faults. */
  faultMs: number;
  /** How many files a large push has. */
  bulkFiles: number;
  /** The last part of the time, without kills and faults: for the slopes. */
  slopesMs: number;
  /** How far git may be behind an answer, and the service behind a push. */
  lagMs: number;
  /** One line after each epoch, and lines of the faults. */
  say(line: string): void;
}

export interface SoakResult {
  violations: Violation[];
  /** The operations and commits that the violations concern. */
  trace: unknown[];
  epochs: number;
  operations: number;
  /** Writes that were answered. */
  acknowledged: number;
  /** By status. */
  refused: Record<number, number>;
  /** Without an answer. */
  unknown: number;
  commits: number;
  kills: number;
  restarts: number;
  pushes: number;
  looks: number;
  /** How often a follower of the feed had to start again, because a crash had lost the name of a commit. */
  forgotten: number;
  clones: number;
  housekeeping: number;
  /** How often each fault struck. */
  strikes: Readonly<Record<string, number>>;
  /** From the life without kills; undefined if it was too short. */
  slopes: Record<string, number> | undefined;
  /** During the time in which clients ran. */
  operationsPerSecond: number;
}

const COLLECTIONS = ['posts', SHARED, 'arena', 'notes', 'keyed', 'due', 'bulk'];
const CONFIG = {
  collections: COLLECTIONS.map((name) => ({
    name,
    sharded: name === 'notes',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'body', type: 'richtext' },
      { name: 'count', type: 'number' },
    ],
  })),
};

/** A start that reads everything anew, on a busy machine. */
const START_MS = 60_000;
/** A repository is checked object by object after this many epochs. */
const FSCK_EPOCHS = 10;

/**
 * One function, because an epoch is a row of steps on the same clients, faults and figures, each of which needs the
 * ones before it.
 */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { seed, lagMs, say, faults: names, bulkFiles } = options;
  const random = createRandom(seed);
  const hasSlopes = names.includes('slopes');
  await using place = makePlace({ config: CONFIG, readyMs: START_MS, load: loadsOf(names) });
  const lives = await bringUp(place, envOf(names, place.folder));
  using _probe = watchDisk(join(place.folder, 'disk-probe'), (outage) => {
    lives.noteOutage(outage);
    say(`  the machine's disk took ${Math.round(outage.toMs - outage.fromMs)} ms for a sync`);
  });
  const { cookie } = await createClient(lives.url).post('/api/auth/setup', ADMIN);
  if (!cookie) throw new Error('the first admin was not made');
  let operations: Operation[] = [];
  let count = 0;
  const parts = {
    lives,
    cookie,
    record: (operation: Operation) => void operations.push(operation),
    nextId: () => `s${count++}`,
  };
  const permissions = ['content:read', 'content:write'];
  const made = await createClient(lives.url, cookie).post('/api/admin/access-tokens', { name: 'Grace', permissions });
  const served = async (): Promise<string> =>
    `${(await lives.serving()).replace('://', `://x:${made.json.token}@`)}/git/default.git`;
  const contributor = createContributor(place, createRandom(seed + 3));
  const chores = createChores({ place, lives, random: createRandom(seed + 1), contributor, served });

  // The first documents, before any check.
  const sender = createSender(parts);
  for (const slug of sharedSlugs()) {
    const { operation } = await sender.send({ kind: 'create', collection: SHARED, slug, data: { title: slug } });
    if (operation.outcome.kind !== 'ok') throw new Error(`${slug} was not made: ${JSON.stringify(operation.outcome)}`);
  }
  await untilFlushed(lives);
  let base = await headOf(place.repository);
  const checker = createChecker({ lagMs, documents: await readDocuments(place.repository, base) });
  operations = [];
  lives.drainOutages();

  const clients = Array.from({ length: options.clients }, (_, n) =>
    createSoakClient(n, createRandom(seed + 100 + n), createSender(parts)),
  );
  const follower = createFollower({ lives, cookie, since: base });
  const about = { place, lives, cookie, contributor, served, bulkFiles, say };
  const faults = await createFaults(names, { ...about, random: createRandom(seed + 4), sender: createSender(parts) });
  const vitals = hasSlopes ? createVitals({ place, lives }) : undefined;
  const total = {
    epochs: 0,
    operations: 0,
    acknowledged: 0,
    unknown: 0,
    commits: 0,
    pushes: 0,
    looks: 0,
    forgotten: 0,
  };
  const refused: Record<number, number> = {};
  const startedAtMs = performance.now();
  let ranMs = 0;
  let violations: Violation[] = [];
  let trace: unknown[] = [];

  /** When the part without kills and faults began. */
  let calmAfterMs: number | undefined;

  const wantsStrikes = (afterMs: number): boolean =>
    afterMs < (options.mostMs ?? 0) &&
    (lives.kills + lives.stops < (options.leastKills ?? 0) ||
      Object.values(faults.strikes).some((count) => count === 0));
  const isWanted = (afterMs: number): boolean =>
    calmAfterMs === undefined
      ? afterMs < options.forMs || wantsStrikes(afterMs)
      : afterMs < Math.max(options.forMs, calmAfterMs + options.slopesMs);

  while (isWanted(performance.now() - startedAtMs) && violations.length === 0) {
    const epochStartedAtMs = performance.now();
    const afterMs = epochStartedAtMs - startedAtMs;
    if (hasSlopes && afterMs >= options.forMs - options.slopesMs && !wantsStrikes(afterMs)) calmAfterMs ??= afterMs;
    const isCalm = calmAfterMs !== undefined;
    if (isCalm) vitals?.begin(() => total.commits);
    const following = follower.run();
    await runEpoch(isCalm);
    const tookMs = performance.now() - epochStartedAtMs;
    ranMs += tookMs;
    await untilFlushed(lives);
    following.stop();
    await following.done;
    const { feed, forgotten, violations: ofFeed } = follower.drain();
    const { pushes, complaints } = await contributor.drain();
    const { looks, failedClones } = chores.drainLooks();
    const { head, commits, beside } = await readLine(place.repository, base, pushes);
    const due = faults.due();
    const outages = lives.drainOutages();
    const epoch: Epoch = {
      base,
      operations,
      commits,
      beside,
      pushes,
      looks,
      failedClones,
      feed,
      forgotten,
      due,
      outages,
    };
    const checkedAtMs = performance.now();
    violations = [...(await faults.check(epoch)), ...ofFeed, ...checker.check(epoch)];
    for (const message of complaints) violations.push({ rule: 'git', message, about: [] });
    violations.push(...(await checkQuiet(lives, cookie, COLLECTIONS, checker.documents)));
    if (total.epochs % FSCK_EPOCHS === FSCK_EPOCHS - 1) await git(place.repository, ['fsck', '--strict', '--full']);
    const warnings = lives.drainWarnings();
    if (violations.length) trace = [...traceOf(epoch, violations), ...warnings];
    const checkMs = performance.now() - checkedAtMs;
    const writes = operations.filter(isWrite);
    total.epochs++;
    total.operations += operations.length;
    total.acknowledged += writes.filter(({ outcome }) => outcome.kind === 'ok').length;
    for (const { outcome } of writes) {
      if (outcome.kind === 'refused') refused[outcome.status] = (refused[outcome.status] ?? 0) + 1;
    }
    total.unknown += writes.filter(({ outcome }) => outcome.kind === 'unknown').length;
    total.commits += commits.length;
    total.pushes += pushes.length;
    total.looks += looks.length;
    total.forgotten += forgotten.length;
    say(
      `epoch ${total.epochs}${isCalm ? ' (calm)' : ''}: ${operations.length} operations in ${(tookMs / 1000).toFixed(1)} s, ` +
        `${commits.length} commits, ${pushes.length} external, ${lives.kills} kills and ${lives.stops} restarts so far; ` +
        `checked in ${(checkMs / 1000).toFixed(1)} s, ` +
        `${violations.length ? `${violations.length} VIOLATIONS` : 'no violation'}, ` +
        `${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
    );
    operations = [];
    base = head;
  }
  const samples = (await vitals?.end()) ?? [];
  if (violations.length === 0) violations = checkSlopes(samples);
  for (const client of clients) client.close();
  sender.close();
  follower.close();
  await faults.close();

  return {
    ...total,
    refused,
    violations,
    trace,
    kills: lives.kills,
    restarts: lives.stops,
    clones: chores.clones,
    housekeeping: chores.housekeeping,
    strikes: faults.strikes,
    slopes: toFigures(samples),
    operationsPerSecond: Math.round(total.operations / (ranMs / 1000)),
  };

  async function runEpoch(isCalm: boolean): Promise<void> {
    let isOver = false;
    const running = clients.map((client) => client.run());

    /** Repeats it, each time after about this long. */
    async function repeat(everyMs: number, chance: { next(): number }, run: () => Promise<void>): Promise<void> {
      while (!isOver) {
        await pause(everyMs * (0.2 + 1.6 * chance.next()));
        if (!isOver) await run();
      }
    }

    const lanes = [pause(options.epochMs)];
    if (names.includes('git')) {
      lanes.push(repeat(options.choreMs, createRandom(seed + 2 + total.epochs), () => chores.doOne()));
    }
    if (!isCalm) {
      // Two faults may be under way at once.
      lanes.push(
        repeat(options.calmMs, random, () => (random.next() < 0.75 ? lives.kill(random) : lives.restart())),
        ...[5, 6].map((n) => repeat(options.faultMs, createRandom(seed + n + total.epochs), () => faults.strikeOne())),
      );
    }
    // A lane ends before the epoch only by an error.
    await Promise.race(lanes);
    isOver = true;
    await Promise.all(lanes);
    for (const one of running) one.stop();
    await Promise.all(running.map(({ done }) => done));
    await faults.settle();
    lives.check();
  }
}
