// The change feed across a crash: a client that saw a change before the crash continues after that change, even if an
// external commit came below it while the service was down.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Cms, createCms } from '../../src/cms.ts';
import type { FeedChange } from '../../src/history/feed/change.ts';
import { commitBeside } from '../support/store-world.ts';
import { CONFIG } from '../support/world.ts';

async function changesSince(cms: Cms, since: string | undefined): Promise<FeedChange[]> {
  const { changes } = await cms.site.history.changes({ since, limit: 100 });
  return changes.map((text) => JSON.parse(text) as FeedChange);
}

test('after a crash the feed reports the changes that were replayed again, and the external commit below them', async () => {
  const root = mkdtempSync(join(tmpdir(), 'recovered-'));
  const opened: Cms[] = [];
  const open = async (name: string): Promise<Cms> => {
    const cms = await createCms(CONFIG, { dataDir: join(root, name) });
    opened.push(cms);
    return cms;
  };
  try {
    const before = await open('before');
    await before.content.create('posts', { slug: 'a', data: { title: 'A' } });
    await before.site.store.log.flush();
    for (const slug of ['b', 'c']) await before.content.create('posts', { slug, data: { title: slug } });
    const reported = await changesSince(before, undefined);
    cpSync(join(root, 'before', 'sites'), join(root, 'after', 'sites'), { recursive: true });
    const [first, ...waiting] = reported;
    assert.is(waiting.length, 2);
    const theirs = { ...(await before.content.findBySlug('posts', 'a')), id: 'Hand00000001', slug: 'theirs' };
    commitBeside(join(root, 'after', 'sites', 'default', 'content.git'), {
      'content/posts/theirs.json': JSON.stringify(theirs),
    });

    const after = await open('after');
    for (const { commit } of waiting) {
      const [external, ...ours] = await changesSince(after, commit);
      assert.is(external?.slug, 'theirs');
      assert.equal(
        ours.map(({ changeId, replaces }) => [changeId, replaces]),
        waiting.map((change) => [change.changeId, change.commit]),
      );
      assert.ok(ours.every((change, i) => change.commit !== waiting[i]!.commit));
    }
    const all = await changesSince(after, undefined);
    assert.equal(
      all.map(({ slug }) => slug),
      ['a', 'theirs', 'b', 'c'],
    );
    assert.is(all[0]!.commit, first!.commit);
  } finally {
    for (const cms of opened) await cms.close();
    rmSync(root, { recursive: true, force: true });
  }
});

test.run();
