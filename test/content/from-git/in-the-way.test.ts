// Files and folders of external commits in the place of a document or a picture: nothing overwrites them, whichever
// came first, and a client that tries to write there gets an error.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SYSTEM } from '../../../src/access/actor.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import { openSite } from '../../../src/sites/open-site.ts';
import type { Site } from '../../../src/sites/site.ts';
import { oidOf } from '../../../src/store/git/objects.ts';
import { eventually } from '../../support/process.ts';
import { commitBeside, fsck, git } from '../../support/store-world.ts';
import { CONFIG } from '../../support/world.ts';

const USER = { ...SYSTEM, kind: 'user' as const };
const BROKEN = '{ broken';

async function open(folder: string): Promise<Site> {
  const onFatal = (error: unknown): void => {
    throw error;
  };
  const config = parseConfig(CONFIG);
  return openSite({ id: 'default', org: 'default', config, folder, warn: () => undefined, onFatal });
}

async function withSite(run: (site: Site, again: () => Promise<Site>) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'in-the-way-'));
  let site = await open(root);
  await site.content.create('notes', { slug: 'home', data: { title: 'Home' } }, USER);
  await site.store.log.flush();
  try {
    await run(site, async () => {
      await site.close();
      rmSync(join(root, 'index'), { recursive: true, force: true });
      return (site = await open(root));
    });
    assert.is(fsck(site.store.repository), '');
  } finally {
    await site.close();
    rmSync(root, { recursive: true, force: true });
  }
}

const blobAt = ({ store }: Site, path: string): string => git(store.repository, 'rev-parse', `main:${path}`).trim();

async function refusal(run: () => Promise<unknown>): Promise<string> {
  return run().then(
    () => 'accepted',
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  );
}

test('a slug is taken by a folder of its name; a slug made from a title gets the next number', () =>
  withSite(async (site, again) => {
    commitBeside(site.store.repository, { 'content/posts/z.json/in.txt': 'theirs' });
    await eventually(() => assert.ok(site.store.log.find('content/posts/z.json')), 5000);
    const create = (site: Site, input: object): Promise<unknown> => site.content.create('posts', input as never, USER);
    assert.match(await refusal(() => create(site, { slug: 'z', data: { title: 'Z' } })), /^conflict: .*posts\/z\.json/);
    await create(site, { data: { title: 'Z' } });
    await site.store.log.flush();
    assert.match(site.content.get('posts', { slug: 'z-2' }).body.toString(), '"Z"');
    assert.is(blobAt(site, 'content/posts/z.json/in.txt'), oidOf('blob', Buffer.from('theirs')));
    const warned = [...site.warnings].sort();
    assert.equal([...(await again()).warnings].sort(), warned);
  }));

test('a file in place of a collection stays, and writing into the collection reports it', () =>
  withSite(async (site, again) => {
    commitBeside(site.store.repository, { 'content/posts': 'theirs' });
    await eventually(() => assert.is(site.warnings.size, 1), 5000);
    const create = (): Promise<unknown> => site.content.create('posts', { slug: 'y', data: { title: 'Y' } }, USER);
    assert.match(
      await refusal(create),
      /^conflict: "content\/posts" is a file in the repository, but the change needs a folder there/,
    );
    assert.throws(() => site.content.get('posts', { slug: 'y' }), /not found/i);
    const warned = [...site.warnings].sort();
    assert.ok(warned.some(([path]) => path === 'content/posts'));
    const reopened = await again();
    assert.equal([...reopened.warnings].sort(), warned);
    commitBeside(reopened.store.repository, { 'content/posts': null });
    await eventually(() => assert.is(reopened.warnings.size, 0), 5000);
    await reopened.content.create('posts', { slug: 'y', data: { title: 'Y' } }, USER);
    assert.equal([...reopened.warnings.keys()], []);
  }));

const THEIRS: Record<string, [path: string, content: string]> = {
  'a broken file': ['content/posts/a.json', BROKEN],
  'a document of 5 MiB': ['content/posts/a.json', JSON.stringify({ big: 'y'.repeat(5 << 20) })],
  'a folder': ['content/posts/a.json/in.txt', 'theirs'],
  'a file in place of the collection': ['content/posts', 'theirs'],
};

const OURS: Record<string, (site: Site) => Promise<unknown>> = {
  change: ({ content }) => content.update('posts', { slug: 'a' }, { data: { title: 'ours' } }, USER),
  rename: ({ content }) => content.update('posts', { slug: 'a' }, { slug: 'b' }, USER),
  removal: ({ content }) => content.remove('posts', { slug: 'a' }, USER),
};

for (const [what, [path, content]] of Object.entries(THEIRS)) {
  for (const [name, ours] of Object.entries(OURS)) {
    test(`${what} below a waiting ${name} of ours stays, and nothing of ours is lost`, () =>
      withSite(async (site, again) => {
        await site.content.create('posts', { slug: 'a', data: { title: 'first' } }, USER);
        await site.store.log.flush();
        site.store.log.keepStill();
        await ours(site);
        assert.ok(site.store.log.status().unflushed > 0, 'nothing waits');
        const isAbove = !path.startsWith('content/posts/a.json/') && path !== 'content/posts/a.json';
        const gone: Record<string, null> = path === 'content/posts/a.json' ? {} : { 'content/posts/a.json': null };
        commitBeside(site.store.repository, { ...gone, [path]: content });
        await site.store.log.flush();
        assert.is(blobAt(site, path), oidOf('blob', Buffer.from(content)));
        const { setAside } = site.store.log.status();
        if (name === 'change' || (name === 'rename' && isAbove)) {
          assert.is(setAside.length, 1);
          const ref = /refs\/colophon\/set-aside\/[0-9a-f]{40}/.exec(setAside[0]!)![0];
          const kept = name === 'change' ? 'content/posts/a.json' : 'content/posts/b.json';
          assert.match(git(site.store.repository, 'show', `${ref}:${kept}`), name === 'change' ? '"ours"' : '"first"');
          assert.throws(() => site.content.get('posts', { slug: 'a' }), /not found/i);
        } else {
          assert.equal(setAside, []);
          if (name === 'rename') assert.match(site.content.get('posts', { slug: 'b' }).body.toString(), '"first"');
        }
        const warned = [...site.warnings].sort();
        assert.equal([...(await again()).warnings].sort(), warned);
      }));
  }
}

test.run();
