// A replay moves a change before it was reported to any client: its message then names the new slug, because the feed,
// webhooks and `git log` go by the message.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRebase } from '../../src/content/commits/rebase.ts';
import { toFile } from '../../src/content/stored.ts';
import { toPointerFile } from '../../src/lib/lfs-pointer.ts';
import { createMediaRebase } from '../../src/media/commits/rebase.ts';
import { metaPath, pointerPath, toMetaFile } from '../../src/media/stored.ts';
import { nodeDisk } from '../../src/store/disk/disk.ts';
import { encodeCommit, oidOf, parseCommit } from '../../src/store/git/objects.ts';
import { createReplanter } from '../../src/store/log/replant.ts';
import type { FileChange } from '../../src/store/log/tree-set.ts';
import { createOdb } from '../../src/store/repository/odb.ts';
import { commitBeside, makeStoreWorld } from '../support/store-world.ts';
import { makeDesk, makeStored } from './world.ts';

const { schema } = makeDesk();
const WHO = { name: 'Colophon', email: 'colophon@localhost' };
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const TRAILERS = 'Event: document.created\nChange-Id: 1\nActor: user\n';

/** The message of a change of ours after its replay on `theirs`. */
async function replanted(theirs: Record<string, string>, message: string, files: FileChange[], isTold = false) {
  await using world = makeStoreWorld();
  const store = world.open();
  const base = commitBeside(world.repository, { 'README.md': 'x' }, { parents: [] });
  const onto = commitBeside(world.repository, theirs, { parents: [base] });
  const body = encodeCommit({
    ...{ tree: EMPTY_TREE, parents: [base], author: WHO, committer: WHO, authoredAt: 1, committedAt: 1 },
    message,
  });
  const odb = createOdb(nodeDisk, store.repository);
  const rebase = () => createMediaRebase(createRebase((name) => (name === 'posts' ? schema : undefined)));
  const replanter = createReplanter({ odb, onto, base, createRebase: rebase });
  const { entry } = replanter.replant({ commit: oidOf('commit', body), body, files }, onto, isTold);
  assert.is(entry.commit, oidOf('commit', entry.body));
  return parseCommit(entry.body).message;
}

const own = (slug: string): FileChange => ({
  path: `content/posts/${slug}.json`,
  content: toFile(makeStored(schema, { slug }), 0, schema),
});
const taken = (slug: string) => ({
  [`content/posts/${slug}.json`]: String(toFile(makeStored(schema, { slug, id: 'TheirsTheir1' }), 0, schema)),
});

test('the message names a document by the slug that it has after the replay', async () => {
  assert.is(
    await replanted(taken('b'), `posts/b: create\n\n${TRAILERS}`, [own('b')]),
    `posts/b-2: create\n\n${TRAILERS}`,
  );
  assert.is(
    await replanted(taken('b'), `posts/b: rename from a to b\n\n${TRAILERS}`, [own('b')]),
    `posts/b-2: rename from a to b-2\n\n${TRAILERS}`,
  );
});

test('a change that keeps its place, or was already reported, keeps its message', async () => {
  const message = `posts/b: create\n\n${TRAILERS}`;
  assert.is(await replanted(taken('c'), message, [own('b')]), message);
  assert.match(await replanted(taken('b'), message, [own('b')], true), /^posts\/b: create\n.*\nReplaces: /s);
});

test('the message names a media file by the place that it has after the replay', async () => {
  const pointer = (digit: string) => toPointerFile({ sha256: digit.repeat(64), sizeBytes: 5 });
  const slug = 'images/a b.png';
  const theirs = { [metaPath(slug)]: String(toMetaFile({})), [pointerPath(slug)]: String(pointer('1')) };
  const files = [
    { path: metaPath(slug), content: toMetaFile({}) },
    { path: pointerPath(slug), content: pointer('2') },
  ];
  const name = (one: string) => `media/${one}: upload\n\nEvent: media.uploaded\nMedia: ${one}\nChange-Id: 1\n`;
  const [was, is] = ['images/a%20b.png', 'images/a%20b-2.png'];
  assert.is(await replanted(theirs, name(was), files), name(is));
});

test.run();
