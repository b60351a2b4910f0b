// External commits while a site opens, or after it could not be opened.
import { mkdirSync, mkdtempDisposableSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../src/access/actor.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { openSite } from '../../src/sites/open-site.ts';
import type { Site, SiteOptions } from '../../src/sites/site.ts';
import { eventually } from '../support/process.ts';
import { commitBeside } from '../support/store-world.ts';
import { CONFIG, START } from '../support/world.ts';

/** The log looks at the branch four times a second. */
const LOOK_MS = 300;
const THEIRS = {
  ...{ id: 'Theirs000001', slug: 'theirs', collection: 'posts', status: 'published' },
  ...{ createdAt: START, updatedAt: START, data: { title: 'theirs' } },
};

/** A closed site with one document; `commit` adds another one as an external commit. */
async function makeClosedSite() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'colophon-opens-'));
  const fatal: unknown[] = [];
  const logged: string[] = [];
  const open = (more: Partial<SiteOptions> = {}): Promise<Site> =>
    openSite({
      ...{ id: 'default', org: 'default', config: parseConfig(CONFIG), folder: folder.path },
      onFatal: (error) => void fatal.push(error),
      info: (message) => void logged.push(message),
      ...more,
    });
  const first = await open();
  await first.content.create('posts', { slug: 'ours', data: { title: 'ours' } }, SYSTEM);
  const { repository } = first.store;
  await first.close();
  return {
    ...{ folder: folder.path, fatal, logged, open },
    commit: () => commitBeside(repository, { 'content/posts/theirs.json': JSON.stringify(THEIRS) }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** The event loop has had no turn yet, and then looks at the branch before anything else. */
function passLook(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
}

test('an external commit that arrives while the site opens is applied', async () => {
  using closed = await makeClosedSite();
  const opening = closed.open();
  closed.commit();
  passLook();
  const site = await opening;
  await eventually(() => assert.is(site.view.bySlug('posts', 'theirs')?.id, THEIRS.id), 5000);
  assert.equal(closed.fatal, []);
  await site.close();
});

test('an external commit to a site with a remote is applied too', async () => {
  using closed = await makeClosedSite();
  const config = parseConfig({ ...CONFIG, remote: { url: 'http://127.0.0.1:9/none.git', tokenEnv: 'TOKEN' } });
  const opening = closed.open({ config, variables: {} });
  closed.commit();
  passLook();
  const site = await opening;
  assert.ok(site.remote);
  await eventually(() => assert.is(site.view.bySlug('posts', 'theirs')?.id, THEIRS.id), 5000);
  assert.equal(closed.fatal, []);
  await site.close();
});

test('a site that fails while its views are read applies no more commits, and ends no other site', async () => {
  using closed = await makeClosedSite();
  rmSync(join(closed.folder, 'index'), { recursive: true });
  const opening = closed.open({
    info() {
      closed.commit();
      throw new Error('cannot be read');
    },
  });
  const problem = await opening.catch((error: Error) => error.message);
  assert.is(problem, 'cannot be read');
  await pause(LOOK_MS);
  assert.equal(closed.fatal, []);
});

test('a site that fails later applies no more commits', async () => {
  using closed = await makeClosedSite();
  mkdirSync(join(closed.folder, 'media'), { recursive: true });
  writeFileSync(join(closed.folder, 'media', 'incoming'), 'in the way');
  const problem = await closed.open().catch((error: NodeJS.ErrnoException) => error.code);
  assert.is(problem, 'ENOTDIR');
  closed.commit();
  await pause(LOOK_MS);
  assert.equal(closed.logged, []);
  assert.equal(closed.fatal, []);
});

test.run();
