// A soak: clients, kills and chores for an epoch, then a quiet moment in which git says what happened and the checker
// what is wrong with it; and again, until the time is over or a rule is broken.

import { createClient } from '../../test/support/client.ts';
import { ADMIN, makePlace } from '../../test/support/process.ts';
import { createRandom } from '../../test/support/random.ts';
import { createChecker } from './check.ts';
import { createChores } from './chores.ts';
import { createSoakClient, sharedSlugs } from './client.ts';
import { type Documents, isWrite } from './fold-log.ts';
import { createFollower } from './follower.ts';
import type { Epoch, Operation, Violation } from './history.ts';
import { createSender, SHARED } from './sender.ts';
import { bringUp, type Lives, pause } from './service.ts';
import { digestOf } from './timeline.ts';
import { git, headOf, readBlobs, readLine, readTree } from './witness.ts';

export interface SoakOptions {
  seed: number;
  clients: number;
  /** Epochs begin until then. */
  forMs: number;
  epochMs: number;
  /** Between two kills or restarts, on the average. */
  calmMs: number;
  /** Between two chores beside the service, on the average. */
  choreMs: number;
  /** How far git may be behind an answer, and the service behind a push. */
  lagMs: number;
  /** One line after each epoch. */
  say(line: string): void;
}

export interface SoakResult {
  violations: Violation[];
  /** The operations and commits that the violations are about. */
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
  /** Times at which a follower of the feed had to begin again, because a crash had taken the name of a commit. */
  forgotten: number;
  clones: number;
  housekeeping: number;
  /** Of the time in which clients ran. */
  operationsPerSecond: number;
}

const CONFIG = {
  collections: ['posts', SHARED, 'arena', 'notes'].map((name) => ({
    name,
    sharded: name === 'notes',
    fields: [
      { name: 'title', type: 'text' },
      { name: 'body', type: 'richtext' },
      { name: 'count', type: 'number' },
    ],
  })),
};

/** A start that reads everything anew, on a machine that is busy with all this. */
const START_MS = 60_000;
const FLUSH_MS = 15_000;
/** A repository is checked object by object after this many epochs. */
const FSCK_EPOCHS = 10;

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { seed, clients: clientCount, lagMs, say } = options;
  const random = createRandom(seed);
  await using place = makePlace({ config: CONFIG, readyMs: START_MS });
  const lives = await bringUp(place);
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
  const chores = createChores({ place, lives, random: createRandom(seed + 1), token: made.json.token });

  // The first documents, before anybody looks.
  const sender = createSender(parts);
  for (const slug of sharedSlugs()) {
    const { operation } = await sender.send({ kind: 'create', collection: SHARED, slug, data: { title: slug } });
    if (operation.outcome.kind !== 'ok') throw new Error(`${slug} was not made: ${JSON.stringify(operation.outcome)}`);
  }
  await untilFlushed(lives);
  let base = await headOf(place.repository);
  const checker = createChecker({ lagMs, documents: await readDocuments(place.repository, base) });
  operations = [];
  lives.takeOutages();

  const clients = Array.from({ length: clientCount }, (_, n) =>
    createSoakClient(n, createRandom(seed + 100 + n), createSender(parts)),
  );
  const follower = createFollower({ lives, cookie, since: base });
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

  while (performance.now() < startedAtMs + options.forMs && violations.length === 0) {
    const epochStartedAtMs = performance.now();
    const following = follower.run();
    await runEpoch();
    const tookMs = performance.now() - epochStartedAtMs;
    ranMs += tookMs;
    await untilFlushed(lives);
    following.stop();
    await following.done;
    const { feed, forgotten, violations: ofFeed } = follower.take();
    const { pushes, looks, complaints } = await chores.take();
    const { head, commits, beside } = await readLine(place.repository, base, pushes);
    const epoch: Epoch = {
      base,
      operations,
      commits,
      beside,
      pushes,
      looks,
      feed,
      forgotten,
      outages: lives.takeOutages(),
    };
    const checkedAtMs = performance.now();
    violations = [...ofFeed, ...checker.check(epoch)];
    for (const message of complaints) violations.push({ rule: 'late-in-git', message, about: [] });
    violations.push(...(await checkQuiet(lives, cookie, checker.documents)));
    if (total.epochs % FSCK_EPOCHS === FSCK_EPOCHS - 1) await git(place.repository, ['fsck', '--strict', '--full']);
    if (violations.length) trace = traceOf(epoch, violations);
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
      `epoch ${total.epochs}: ${operations.length} operations in ${(tookMs / 1000).toFixed(1)} s, ${commits.length} ` +
        `commits, ${pushes.length} of others, ${lives.kills} kills and ${lives.stops} restarts so far; checked in ` +
        `${(checkMs / 1000).toFixed(1)} s, ${violations.length ? `${violations.length} VIOLATIONS` : 'no violation'}, ` +
        `${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`,
    );
    operations = [];
    base = head;
  }
  for (const client of clients) client.close();
  sender.close();
  follower.close();

  return {
    ...total,
    refused,
    violations,
    trace,
    kills: lives.kills,
    restarts: lives.stops,
    clones: chores.clones,
    housekeeping: chores.housekeeping,
    operationsPerSecond: Math.round(total.operations / (ranMs / 1000)),
  };

  async function runEpoch(): Promise<void> {
    let isOver = false;
    const running = clients.map((client) => client.run());
    const waitAbout = (ms: number, chance = random): Promise<void> => pause(ms * (0.2 + 1.6 * chance.next()));
    const lanes = [
      (async () => {
        while (!isOver) {
          await waitAbout(options.calmMs);
          if (isOver) break;
          await (random.next() < 0.75 ? lives.kill(random) : lives.restart());
        }
      })(),
      (async () => {
        const choreRandom = createRandom(seed + 2 + total.epochs);
        while (!isOver) {
          await waitAbout(options.choreMs, choreRandom);
          await chores.doOne();
        }
      })(),
    ];
    await Promise.race([pause(options.epochMs), ...lanes]);
    isOver = true;
    await Promise.all(lanes);
    for (const one of running) one.stop();
    await Promise.all(running.map(({ done }) => done));
    lives.check();
  }
}

/** Waits until git has all that was answered, and the service all that others have pushed. */
async function untilFlushed(lives: Lives): Promise<void> {
  const client = createClient(await lives.serving());
  const until = performance.now() + FLUSH_MS;
  for (let quiet = 0; quiet < 5; ) {
    lives.check();
    const { text } = await client.get('/metrics');
    quiet = /^colophon_unflushed_commits\{[^}]*\} 0$/m.test(text) ? quiet + 1 : 0;
    if (performance.now() > until) throw new Error(`git is behind after ${FLUSH_MS} ms\n${text}`);
    await pause(250);
  }
  client.close();
}

async function readDocuments(repository: string, head: string): Promise<Documents> {
  const tree = await readTree(repository, head);
  const docs = await readBlobs(repository, [...new Set(tree.values())]);
  return new Map([...tree].map(([place, blob]) => [place, { doc: docs.get(blob)!, blob }]));
}

/** When nobody writes, what the service shows is the log's state to the byte, and it says that it is well. */
async function checkQuiet(lives: Lives, cookie: string, documents: ReadonlyMap<string, { doc: unknown }>) {
  const client = createClient(await lives.serving(), cookie);
  const violations: Violation[] = [];
  const shown = new Map<string, string>();
  for (const { name } of CONFIG.collections) {
    const { json } = await client.get(`/api/cms/${name}`);
    for (const doc of json.documents) shown.set(`${name}/${doc.slug}`, digestOf(doc));
  }
  for (const place of new Set([...shown.keys(), ...documents.keys()])) {
    const doc = documents.get(place)?.doc as Parameters<typeof digestOf>[0] | undefined;
    if ((doc && digestOf(doc)) === shown.get(place)) continue;
    violations.push({ rule: 'wrong-answer', message: `${place} is shown as it is not in the log`, about: [place] });
  }
  const ready = await client.get('/readyz');
  if (ready.status !== 200 || ready.json.warnings.length)
    violations.push({ rule: 'failure', message: `not well in a quiet moment: ${ready.text}`, about: [] });
  client.close();
  return violations;
}

const MOST_TRACED = 20;

/** What the violations are about, and what else was done to those documents, so that it can be understood without the run. */
function traceOf(epoch: Epoch, violations: readonly Violation[]): unknown[] {
  const about = new Set(violations.slice(0, 5).flatMap((violation) => violation.about));
  const isAbout = ({ id }: { id: string }): boolean => about.has(id);
  const named = epoch.operations.filter(isAbout);
  const places = new Set([
    ...about,
    ...named.flatMap(({ action }) => ('slug' in action && action.slug ? `${action.collection}/${action.slug}` : [])),
  ]);
  const commits = epoch.commits.flatMap((commit, position) => {
    const { id, requestId, event, fields } = commit;
    if (about.has(id) || about.has(requestId)) return { position, ...commit };
    const changes = commit.changes.flatMap(({ place, blob }) => (places.has(place) ? { place, blob } : []));
    return changes.length ? { position, id, requestId, event, fields, changes } : [];
  });
  const requests = new Set(commits.map(({ requestId }) => requestId));
  return [
    ...named,
    ...commits.slice(-MOST_TRACED),
    ...epoch.operations.filter(({ id }) => requests.has(id) && !about.has(id)).slice(-MOST_TRACED),
    ...epoch.pushes.filter(({ place }) => places.has(place)).slice(-MOST_TRACED),
    ...epoch.outages,
  ];
}
