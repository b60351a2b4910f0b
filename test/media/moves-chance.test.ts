// Whatever clients and external commits do to files, in whatever order: what is shown live, after a restart, and by a
// view that is built anew are the same; the feed leads there; no bytes are lost, and documents follow. SEED repeats it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { toPointerFile } from '../../src/lib/lfs-pointer.ts';
import { commitBeside, git } from '../support/external.ts';
import { eventually } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { gif, sha256, upload } from '../support/upload.ts';
import { makeWorld, type World } from '../support/world.ts';

const STEPS = Number(process.env.STEPS) || 24;
const CHECK_EVERY = 8;
const FOLDERS = ['images', 'trips', 'trips/2026'];
const NAMES = ['a.gif', 'b.gif', 'c.gif'];
const MAIN = 'refs/heads/main';

const CONFIG: SiteConfigInput = {
  collections: [
    {
      name: 'posts',
      fields: [
        { name: 'cover', type: 'image' },
        { name: 'body', type: 'richtext' },
      ],
    },
  ],
};

interface File {
  folder: string;
  name: string;
  url: string;
  sha256: string;
}

const filesOf = async (world: World): Promise<File[]> => (await world.admin.get('/api/media')).json.files;
const documentsOf = async (world: World): Promise<{ slug: string; data: { cover: string; body: string } }[]> =>
  (await world.admin.get('/api/cms/posts?limit=500&orderBy=slug')).json.documents;

/** Everything that readers see of the files, and of the documents that use them. */
async function look(world: World) {
  const files = await filesOf(world);
  const references = [];
  for (const { folder, name } of files)
    references.push((await world.admin.get(`/api/media/${folder}/${name}/references`)).json);
  const { folders } = (await world.admin.get('/api/media/folders')).json;
  const documents = (await documentsOf(world)).map(({ slug, data }) => [slug, data]);
  return { files, folders, references, documents };
}

test(`after ${STEPS} steps of uploads, moves, replacements, deletions and external commits all views are one`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  const some = <T>(of: readonly T[]): T => of[random.whole(0, of.length - 1)]!;
  await using world = await makeWorld({ config: CONFIG });
  const mirror = new Set<string>();
  const kept = new Set<string>();
  let head = '';
  let number = 0;
  let posts = 0;

  async function act(file: File | undefined): Promise<void> {
    const path = `/api/media/${file?.folder}/${file?.name}`;
    const what = file ? random.whole(0, 9) : 0;
    if (!file || what === 0) {
      const bytes = gif(number++);
      const { status, json } = await upload(world.admin, some(NAMES), bytes, { folder: some(FOLDERS) });
      assert.is(status, 200);
      kept.add(sha256(bytes));
      const data = { cover: `${json.url}?w=9`, body: `![x](${json.url})` };
      assert.is((await world.admin.post('/api/cms/posts', { slug: `p${posts++}`, data })).status, 200);
    } else if (what < 6) {
      const change = { folder: some(FOLDERS), name: some(NAMES), updateReferences: true, alt: some(['', 'x', 'y']) };
      const { status, text } = await world.admin.patch(path, change);
      assert.ok([200, 409].includes(status), text);
    } else if (what < 8) {
      const bytes = gif(number++);
      assert.is((await world.admin.put(path, bytes, { 'content-type': 'image/gif' })).status, 200);
      kept.delete(file.sha256);
      kept.add(sha256(bytes));
    } else {
      assert.is((await world.admin.delete(path)).status, 200);
      kept.delete(file.sha256);
    }
  }

  /** Another file, or another description, where ours may be on its way to. */
  function commitOutside(files: readonly File[]): void {
    const bytes = gif(number++);
    const pointer = toPointerFile({ sha256: sha256(bytes), sizeBytes: bytes.length }).toString();
    const { store } = world.site();
    const place = `media/${some(FOLDERS)}/${some(NAMES)}`;
    const described = files.length > 0 ? some(files) : undefined;
    const isTaken = git(store.repository, 'ls-tree', MAIN, place) !== '';
    if (!isTaken) kept.add(sha256(bytes));
    const meta = described && {
      [`media/${described.folder}/.meta/${described.name}.json`]: `{"alt": "git ${number}"}`,
    };
    commitBeside(store.repository, { ...(isTaken ? {} : { [place]: pointer }), ...meta }, undefined, MAIN);
  }

  async function follow(): Promise<void> {
    const { head: newest } = (await world.admin.get('/api/cms/changes')).json;
    for (let isMore = true; isMore; ) {
      const { json } = await world.admin.get(`/api/cms/changes?limit=50${head && `&since=${head}`}`);
      for (const { collection, event, slug } of json.changes) {
        if (collection !== 'media') continue;
        if (event === 'media.deleted') mirror.delete(slug);
        else mirror.add(slug);
      }
      isMore = json.changes.length > 0 && json.changes.at(-1).commit !== newest;
      head = json.changes.at(-1)?.commit ?? head;
    }
  }

  async function check(): Promise<void> {
    const { store } = world.site();
    await eventually(async () => {
      await store.log.flush();
      assert.is(store.log.status().head, git(store.repository, 'rev-parse', MAIN).trim());
    }, 10_000);
    const live = await look(world);
    assert.equal(live.files.map((file) => file.sha256).sort(), [...kept].sort(), 'bytes that were lost, or came back');
    await follow();
    assert.equal([...mirror].sort(), live.files.map(({ folder, name }) => `${folder}/${name}`).sort(), 'the feed');
    for (const forget of [false, true]) {
      await world.restart({ forget });
      assert.equal(await look(world), live, forget ? 'built anew' : 'from what was saved');
    }
  }

  await act(undefined);
  for (let step = 1; step <= STEPS; step++) {
    world.advance(1000);
    const files = await filesOf(world);
    // Several at once, each at a file of its own; some on the way to the same place.
    const chosen = new Set(
      Array.from({ length: random.whole(1, 3) }, () => (files.length > 0 ? some(files) : undefined)),
    );
    const acts = [...chosen].map(act);
    if (random.whole(0, 3) === 0) {
      await world.site().store.log.flush();
      commitOutside(await filesOf(world));
    }
    await Promise.all(acts);
    if (step % CHECK_EVERY === 0) await check();
  }
});

test.run();
