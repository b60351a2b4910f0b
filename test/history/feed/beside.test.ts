// A commit that the log told of and that a merge put beside its line: once the index that knew it is lost, the line goes
// through the merge's other parent. Whoever has seen that commit goes on, is told some changes twice, and misses none.
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

/** Alice's commit is told; Bob commits beside it, merges hers into his with what `merged` keeps of it, and pushes that. */
async function mergeInto(place: Place, alice: Files, merged: Files): Promise<{ base: string; told: string }> {
  const base = git(place.repository, 'rev-parse', 'main').trim();
  const told = commitBeside(place.repository, alice);
  await untilTakenIn(place.cms.site.store);
  assert.is((await place.cms.site.history.changes({ limit: 100 })).head, told);
  const bob = commitBeside(place.repository, BOB, { ref: 'refs/heads/bob', parents: [base] });
  const tip = commitBeside(place.repository, merged, { ref: 'refs/heads/bob', parents: [bob] });
  const tree = git(place.repository, 'rev-parse', `${tip}^{tree}`).trim();
  const merge = git(place.repository, 'commit-tree', tree, '-m', 'merge', '-p', bob, '-p', told).trim();
  git(place.repository, 'update-ref', 'refs/heads/main', merge);
  git(place.repository, 'update-ref', '-d', 'refs/heads/bob');
  await untilTakenIn(place.cms.site.store);
  return { base, told };
}

async function toldSince({ cms }: Place, since: string): Promise<string[]> {
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

test('a reader whose commit is beside the line goes on from where the commit left the line', async () => {
  await using place = await makePlace();
  const { told } = await mergeInto(place, ALICE, ALICE);
  assert.equal(await toldSince(place, told), ['document.created bob'], 'live');
  await place.reopen({ forget: true });
  assert.equal(await toldSince(place, told), BOTH);

  const ending = new AbortController();
  const watch = await place.cms.site.history.watch(told);
  const watched: string[] = [];
  for await (const { change } of watch(ending.signal)) {
    watched.push(`${change.event} ${change.slug}`);
    if (watched.length === BOTH.length) ending.abort();
  }
  assert.equal(watched, BOTH, 'as a stream');

  const reading = new AbortController();
  const { commits, lost } = await place.cms.site.history.commits([told], reading.signal);
  assert.is(lost, undefined);
  const read: string[] = [];
  for await (const { changes } of commits) {
    read.push(...changes.map(({ event, slug }) => `${event} ${slug}`));
    if (read.length === BOTH.length) reading.abort();
  }
  assert.equal(read, BOTH, 'commit by commit');
});

test('so it is with an index that was saved before that commit', async () => {
  await using place = await makePlace();
  await place.reopen();
  const saved = join(place.folder, '..', 'saved');
  cpSync(join(place.folder, 'index'), saved, { recursive: true });
  const { told } = await mergeInto(place, ALICE, ALICE);
  await place.reopen({ saved });
  assert.equal(await toldSince(place, told), BOTH);
});

test('what the merge did not keep of a document is told again as it is', async () => {
  await using place = await makePlace();
  const first = place.cms.site.content.stored('posts', { slug: 'first' })!;
  const { told } = await mergeInto(place, fileOf(first.id, 'first', 'changed'), {});
  assert.equal((await toldSince(place, told)).sort(), ['document.created bob', 'document.unpublished first'], 'live');
  await place.reopen({ forget: true });
  const again = await toldSince(place, told);
  assert.ok(again.includes('document.created first'), again.join());
  assert.ok(again.includes('document.created bob'), again.join());
});

test('whoever has seen what the log does not tell of any more begins anew', async () => {
  await using place = await makePlace();
  const { told } = await mergeInto(place, ALICE, {});
  await place.reopen({ forget: true });
  assert.is(await statusOf(place.cms.site.history.changes({ since: told, limit: 10 })), 404);
});

test('so it is with media', async () => {
  await using kept = await makePlace();
  const file = { 'media/a.jpg': '{}' };
  const { told } = await mergeInto(kept, file, file);
  await kept.reopen({ forget: true });
  assert.equal(await toldSince(kept, told), ['document.created bob', 'media.uploaded a.jpg']);

  await using left = await makePlace();
  const { told: gone } = await mergeInto(left, file, {});
  await left.reopen({ forget: true });
  assert.is(await statusOf(left.cms.site.history.changes({ since: gone, limit: 10 })), 404);
});

test('what the head does not come from, and what is no commit, is not in the log', async () => {
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

test('a commit that is far from the line, and one that nothing merged, cost a bounded number of reads', async () => {
  const name = (n: number): string => n.toString(16).padStart(40, '0');
  const index = new LogIndex();
  for (let n = 0; n < 30_000; n++) index.append(name(n), []);
  let reads = 0;
  const following = {
    hasRecord: () => true,
    // From 30,000 on: a branch off the first commit, up to 40,000; behind that one that has no end.
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
