// Media in the feed of changes.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPointerFile } from '../../src/lib/lfs-pointer.ts';
import { commitBeside } from '../support/external.ts';
import { eventually } from '../support/process.ts';
import { gif, sha256, upload } from '../support/upload.ts';
import { makeWorld, type World } from '../support/world.ts';

const MAIN = 'refs/heads/main';

interface Change {
  commit: string;
  event: string;
  collection: string;
  slug: string;
  id: string;
  fields: string[];
}

async function changes(world: World, since = ''): Promise<Change[]> {
  const reply = await world.admin.get(`/api/cms/changes${since && `?since=${since}`}`);
  assert.is(reply.status, 200, reply.text);
  return reply.json.changes;
}

const short = ({ event, collection, slug, id }: Change): string[] => [event, collection, slug, id];

const pointer = (number: number): string =>
  toPointerFile({ sha256: sha256(gif(number)), sizeBytes: gif(number).length }).toString();

const OURS = [
  ['media.uploaded', 'media', 'images/a.gif', 'images/a.gif'],
  ['media.updated', 'media', 'images/a.gif', 'images/a.gif'],
  ['media.deleted', 'media', 'images/a.gif', 'images/a.gif'],
];

async function changeMedia(world: World): Promise<void> {
  await upload(world.admin, 'a.gif', gif());
  await world.admin.patch('/api/media/images/a.gif', { alt: 'One' });
  await world.admin.delete('/api/media/images/a.gif');
}

test('the feed reports uploads, alt texts and deletions, also after a start without an index', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello' } });
  await changeMedia(world);
  const reported = await changes(world);
  assert.equal(reported.slice(1).map(short), OURS);
  assert.equal(reported[2]!.fields, ['alt']);
  assert.equal(
    reported.map(({ commit }) => commit),
    (await world.events()).map(({ commit }) => commit),
  );
  assert.equal(await changes(world, reported[1]!.commit), reported.slice(2));
  await world.restart();
  assert.equal(await changes(world), reported);
  // The trash of documents has no media, and media have no history as a collection.
  assert.is((await world.admin.get('/api/admin/trash')).json.total, 0);
  assert.is((await world.admin.get('/api/cms/media/a.gif/history')).status, 404);
});

test('the feed reports each media file of an external commit once', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif());
  await upload(world.admin, 'b.gif', gif(1));
  const { store } = world.site();
  await store.log.flush();
  const since = world.headCommit()!;
  const files = {
    'media/images/a.gif': null,
    'media/images/.meta/a.gif.json': null,
    'media/images/.meta/b.gif.json': '{"alt": "B"}',
    'media/more/ü c.gif': pointer(2),
    'media/more/.meta/ü c.gif.json': '{"alt": "C"}',
    'README.md': 'not media\n',
  };
  const commit = commitBeside(store.repository, files, undefined, MAIN);
  await eventually(async () => assert.is((await world.admin.get('/api/cms/changes')).json.head, commit), 5000);
  const reported = await changes(world, since);
  assert.equal(reported.map(({ event, slug }) => `${event} ${slug}`).sort(), [
    'media.deleted images/a.gif',
    'media.updated images/b.gif',
    'media.uploaded more/ü c.gif',
  ]);
  assert.ok(reported.every((change) => change.commit === commit && change.collection === 'media'));
});

test.run();
