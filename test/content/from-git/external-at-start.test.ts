// A commit that is made beside the service just as it starts.
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../../src/access/actor.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import { openSite } from '../../../src/sites/open-site.ts';
import { eventually } from '../../support/process.ts';
import { commitBeside } from '../../support/store-world.ts';
import { CONFIG, START } from '../../support/world.ts';

/** The log looks at the branch four times a second. */
const LOOK_MS = 300;
const THEIRS = {
  ...{ id: 'Theirs000001', slug: 'theirs', collection: 'posts', status: 'published' },
  ...{ createdAt: START, updatedAt: START, data: { title: 'theirs' } },
};

test('a commit that arrives while the site opens is taken in', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'colophon-opens-'));
  const fatal: unknown[] = [];
  const open = () =>
    openSite({
      ...{ id: 'default', org: 'default', config: parseConfig(CONFIG), folder: folder.path },
      onFatal: (error) => void fatal.push(error),
    });
  const first = await open();
  await first.content.create('posts', { slug: 'ours', data: { title: 'ours' } }, SYSTEM);
  const { repository } = first.store;
  await first.close();
  const opening = open();
  // The loop has not had its turn, and then looks at the branch before anything else.
  commitBeside(repository, { 'content/posts/theirs.json': JSON.stringify(THEIRS) });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  const site = await opening;
  await eventually(() => assert.is(site.view.bySlug('posts', 'theirs')?.id, THEIRS.id), 5000);
  assert.equal(fatal, []);
  await site.close();
});

test.run();
