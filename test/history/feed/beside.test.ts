// A reported commit that a merge leaves beside the log's line: when the index that had it is lost, the line goes
// through the merge's other parent. A client that saw the commit continues, gets some changes twice, and misses none.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createSeenWith, type SeenParts } from '../../../src/history/feed/seen.ts';
import { LogIndex } from '../../../src/history/log-index.ts';
import { Replays } from '../../../src/history/replays.ts';
import type { ServiceError } from '../../../src/lib/errors.ts';
import { commitBeside, git, untilTakenIn } from '../../support/store-world.ts';
import { type Change, makePlace, type Place } from '../world.ts';

type Files = Record<string, string | null>;

const fileOf = (id: string, slug: string, title = slug): Files => ({
  [`content/posts/${slug}.json`]: JSON.stringify({
    ...{ id, slug, collection: 'posts', status: 'published' },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', data: { title } },
  }),
});
const ALICE = fileOf('N00000000001', 'alice');
const BOB = fileOf('N00000000002', 'bob');

/**
 * Alice's commit is reported; Bob commits beside it, merges hers into his, keeping the files in `merged`, and pushes.
 */
async function mergeInto(place: Place, alice: Files, merged: Files): Promise<{ base: string; seen: string }> {
  const base = git(place.repository, 'rev-parse', 'main').trim();
  const seen = commitBeside(place.repository, alice);
  await untilTakenIn(place.cms.site.store);
  assert.is((await place.cms.site.history.changes({ limit: 100 })).head, seen);
  const bob = commitBeside(place.repository, BOB, { ref: 'refs/heads/bob', parents: [base] });
  const tip = commitBeside(place.repository, merged, { ref: 'refs/heads/bob', parents: [bob] });
  const tree = git(place.repository, 'rev-parse', `${tip}^{tree}`).trim();
  const merge = git(place.repository, 'commit-tree', tree, '-m', 'merge', '-p', bob, '-p', seen).trim();
  git(place.repository, 'update-ref', 'refs/heads/main', merge);
  git(place.repository, 'update-ref', '-d', 'refs/heads/bob');
  await untilTakenIn(place.cms.site.store);
  return { base, seen };
}

async function reportedSince({ cms }: Place, since: string): Promise<string[]> {
  const { changes } = await cms.site.history.changes({ since, limit: 100 });
  return changes.map((text) => JSON.parse(text) as Change).map(({ event, slug }) => `${event} ${slug}`);
}

async function statusOf(work: Promise<unknown>): Promise<number> {
  return work.then(
    () => 200,
    (error: ServiceError) => error.status,
  );
}

const BOTH = ['document.created bob', 'document.created alice'];

test('a client whose commit is beside the line continues from where the commit left the line', async () => {
  await using place = await makePlace();
  const { seen } = await mergeInto(place, ALICE, ALICE);
  assert.equal(await reportedSince(place, seen), ['document.created bob'], 'live');
  await place.reopen({ forget: true });
  assert.equal(await reportedSince(place, seen), BOTH);

  const ending = new AbortController();
  const watch = await place.cms.site.history.watch(seen);
  const watched: string[] = [];
  for await (const { change } of watch(ending.signal)) {
    watched.push(`${change.event} ${change.slug}`);
    if (watched.length === BOTH.length) ending.abort();
  }
  assert.equal(watched, BOTH, 'as a stream');

  const reading = new AbortController();
  const { commits, lost } = await place.cms.site.history.commits([seen], reading.signal);
  assert.is(lost, undefined);
  const read: string[] = [];
  for await (const { changes } of commits) {
    read.push(...changes.map(({ event, slug }) => `${event} ${slug}`));
    if (read.length === BOTH.length) reading.abort();
  }
  assert.equal(read, BOTH, 'commit by commit');
});

test('the client continues in the same way with an index that was saved before that commit', async () => {
  await using place = await makePlace();
  await place.reopen();
  const saved = join(place.folder, '..', 'saved');
  cpSync(join(place.folder, 'index'), saved, { recursive: true });
  const { seen } = await mergeInto(place, ALICE, ALICE);
  await place.reopen({ saved });
  assert.equal(await reportedSince(place, seen), BOTH);
});

test('a document whose change the merge dropped is reported again as it is', async () => {
  await using place = await makePlace();
  const first = place.cms.site.content.stored('posts', { slug: 'first' })!;
  const { seen } = await mergeInto(place, fileOf(first.id, 'first', 'changed'), {});
  assert.equal(
    (await reportedSince(place, seen)).sort(),
    ['document.created bob', 'document.unpublished first'],
    'live',
  );
  await place.reopen({ forget: true });
  const again = await reportedSince(place, seen);
  assert.ok(again.includes('document.created first'), again.join());
  assert.ok(again.includes('document.created bob'), again.join());
});

test('a client that has seen a document which the log no longer mentions has to start from the beginning', async () => {
  await using place = await makePlace();
  const { seen } = await mergeInto(place, ALICE, {});
  await place.reopen({ forget: true });
  assert.is(await statusOf(place.cms.site.history.changes({ since: seen, limit: 10 })), 404);
});

test('the same holds for media files', async () => {
  await using kept = await makePlace();
  const file = { 'media/a.jpg': '{}' };
  const { seen } = await mergeInto(kept, file, file);
  await kept.reopen({ forget: true });
  assert.equal(await reportedSince(kept, seen), ['document.created bob', 'media.uploaded a.jpg']);

  await using left = await makePlace();
  const { seen: gone } = await mergeInto(left, file, {});
  await left.reopen({ forget: true });
  assert.is(await statusOf(left.cms.site.history.changes({ since: gone, limit: 10 })), 404);
});

test('a commit that the head does not descend from, and an object that is not a commit, are not in the log', async () => {
  await using place = await makePlace();
  const { base } = await mergeInto(place, ALICE, ALICE);
  const other = commitBeside(place.repository, ALICE, { ref: 'refs/heads/other', parents: [base], message: 'other' });
  await place.reopen({ forget: true });
  const tree = git(place.repository, 'rev-parse', `${other}^{tree}`).trim();
  const blob = git(place.repository, 'rev-parse', `${other}:content/posts/alice.json`).trim();
  for (const since of [other, tree, blob, 'f'.repeat(40)]) {
    assert.is(await statusOf(place.cms.site.history.changes({ since, limit: 10 })), 404, since);
  }
});

test('a commit that is far from the line, and one that was never merged, cost a limited number of reads', async () => {
  const name = (n: number): string => n.toString(16).padStart(40, '0');
  const index = new LogIndex();
  for (let n = 0; n < 30_000; n++) index.append(name(n), []);
  let reads = 0;
  const following = {
    hasRecord: () => true,
    // From 30,000 on a branch off the first commit; from 50,000 on a branch without an end.
    record(commit: string) {
      reads++;
      const n = Number.parseInt(commit, 16);
      return {
        tree: '',
        parents: [name(n === 30_000 ? 0 : n === 0 ? 0 : n >= 50_000 ? n + 1 : n - 1)],
        own: undefined,
      };
    },
  };
  const odb = { measure: () => ({ type: 'commit' }) };
  const seenWith = createSeenWith({ index, following, odb, replays: new Replays() } as unknown as SeenParts);
  assert.is(await seenWith(name(50_000)), undefined);
  assert.ok(reads <= 10_100, `${reads}`);
  reads = 0;
  assert.is(await seenWith(name(30_005)), undefined);
  assert.ok(reads > 6 && reads <= 10_100, `${reads}`);
});

test.run();
