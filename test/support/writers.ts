// Clients that write at the same time and note their requests and answers, and the check that a repository has exactly
// these: every answered write once, in an order that contradicts no answer, and each other write whole or not at all.
import assert from 'node:assert/strict';
import type { Client } from './client.ts';
import { gitDocuments, gitLog, type Logged } from './git.ts';
import type { Random } from './random.ts';

export interface Write {
  requestId: string;
  kind: 'create' | 'patch';
  slug: string;
  /** Keys of `data` that only this write sets, with their values. */
  keys: Record<string, string>;
  sentAtMs: number;
  /** Undefined if no answer came. */
  answeredAtMs?: number;
  status?: number;
  commit?: string;
}

export interface Writers {
  /** Everything sent so far, in all rounds. */
  readonly writes: Write[];
  readonly answered: number;
  /** Writes until `stop()`; resolves when the last client has its answer or has lost its connection. */
  run(clients: readonly Client[], random: Random): { done: Promise<void>; stop(): void };
}

/** Needs the shared documents `shared-0` to `shared-<n-1>`. */
export function createWriters(sharedDocuments: number): Writers {
  const writes: Write[] = [];
  let count = 0;
  let answered = 0;

  async function send(client: Client, write: Write, body: string | undefined): Promise<'answered' | 'lost'> {
    writes.push(write);
    const data = { ...write.keys, ...(body ? { body } : {}) };
    const headers = { 'x-request-id': write.requestId };
    write.sentAtMs = performance.now();
    try {
      const reply =
        write.kind === 'create'
          ? await client.post('/api/cms/posts', { slug: write.slug, data }, headers)
          : await client.patch(`/api/cms/posts/${write.slug}`, { data }, headers);
      write.answeredAtMs = performance.now();
      write.status = reply.status;
      write.commit = String(reply.headers['x-cms-commit'] ?? '');
      if (reply.status === 200) answered++;
      return 'answered';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'EPIPE') return 'lost';
      throw error;
    }
  }

  return {
    writes,
    get answered() {
      return answered;
    },
    run(clients, random) {
      let stopped = false;
      async function write(client: Client): Promise<void> {
        let own: string | undefined;
        while (!stopped) {
          const n = count++;
          const keys = { [`a${n}`]: `${n} first`, [`b${n}`]: `${n} second` };
          const choice = random.next();
          const kind = choice < 0.4 ? 'create' : 'patch';
          if (kind === 'create') own = `w${n}`;
          const slug = own && (kind === 'create' || choice < 0.6) ? own : `shared-${n % sharedDocuments}`;
          const body = choice < 0.02 ? `${n} `.repeat(random.whole(1000, 20_000)) : undefined;
          const result = await send(client, { requestId: `r${n}`, kind, slug, keys, sentAtMs: 0 }, body);
          if (result === 'lost') return;
        }
      }
      const done = Promise.all(clients.map(write)).then(() => undefined);
      return { done, stop: () => void (stopped = true) };
    },
  };
}

export type Documents = ReadonlyMap<string, Record<string, unknown>>;

/** What readers see: answered writes exist, the others whole or not at all. `documents` is data by slug. */
export function checkDocuments(writes: readonly Write[], documents: Documents): void {
  for (const write of writes) {
    const data = documents.get(write.slug);
    const found = Object.entries(write.keys).filter(([key]) => data !== undefined && key in data);
    const name = `${write.kind} ${write.requestId} of ${write.slug}`;
    if (write.status === 200) assert.equal(found.length, 2, `${name} was answered and is lost`);
    else if (write.status !== undefined)
      assert.equal(found.length, 0, `${name} was refused with ${write.status} and exists`);
    else assert.notEqual(found.length, 1, `${name} is half written`);
    for (const [key, value] of found) assert.equal(data?.[key], value, `${name} has another value`);
  }
}

/**
 * Checks the repository, with git as the witness, and returns its log. If external commits are pushed into it too
 * (`withOthers`), commit ids may have changed since the answer, and the changes of external commits are not checked.
 */
export async function checkRepository(
  repository: string,
  writes: readonly Write[],
  { withOthers = false } = {},
): Promise<Logged[]> {
  const log = await gitLog(repository);
  const places = new Map<string, number>();
  log.forEach(({ requestId, parents, commit }, place) => {
    assert.equal(places.has(requestId) && requestId, false, `request ${requestId} made two commits`);
    if (requestId) places.set(requestId, place);
    assert.deepEqual(parents, place === 0 ? [] : [log[place - 1]!.commit], `parents of ${commit}`);
  });
  const ours = withOthers ? log.filter(({ changeId }) => changeId) : log;
  assert.equal(new Set(ours.map(({ changeId }) => changeId)).size, ours.length, 'a Change-Id occurs twice');
  const inOrder: [number, Write][] = [];
  for (const write of writes) {
    const place = places.get(write.requestId);
    if (write.status === 200) {
      assert.ok(place !== undefined, `${write.requestId} was answered and is not in the log`);
      if (!withOthers) assert.equal(log[place]?.commit, write.commit, `commit of ${write.requestId}`);
    } else if (write.status !== undefined) {
      assert.equal(place, undefined, `${write.requestId} was refused with ${write.status} and is in the log`);
    }
    if (place !== undefined) inOrder.push([place, write]);
  }
  // A write that was answered before another one was sent comes first, whichever clients sent them.
  inOrder.sort(([a], [b]) => a - b);
  let latestSent = 0;
  for (const [, { requestId, sentAtMs, answeredAtMs = Infinity }] of inOrder) {
    assert.ok(answeredAtMs > latestSent, `${requestId} was answered before an earlier commit's request was sent`);
    latestSent = Math.max(latestSent, sentAtMs);
  }
  const documents = await gitDocuments(repository);
  const bySlug = new Map([...documents.values()].map((doc) => [String(doc.slug), doc.data as Record<string, unknown>]));
  checkDocuments(writes, bySlug);
  // And nothing exists without a commit.
  for (const write of writes) {
    if (places.has(write.requestId)) continue;
    const data = bySlug.get(write.slug);
    for (const key of Object.keys(write.keys))
      assert.equal(data !== undefined && key in data, false, `${key} has no commit`);
  }
  return log;
}
