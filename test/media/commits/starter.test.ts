// The images beside a configuration, and media in search.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toPointerFile } from '../../../src/lib/lfs-pointer.ts';
import { commitBeside } from '../../support/external.ts';
import { eventually } from '../../support/process.ts';
import { gif, sha256, upload } from '../../support/upload.ts';
import { makeWorld, type World } from '../../support/world.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><path d="M0 0h40v30z"/></svg>\n';

test('files in media/ beside the configuration are in the first commit; others are left out and logged', async () => {
  await using world = await makeWorld({
    starter: {
      'posts/hello.json': '{"data": {"title": "Hello"}}',
      'media/press/ink.svg': SVG,
      'media/press/deep/same.svg': SVG,
      'media/press/Wrong Name.svg': SVG,
      'media/Press/ink.svg': SVG,
      'media/press/ink.png': SVG,
      'media/press/tool.exe': 'MZ\u0000\u0000',
      'media/loose.svg': SVG,
      'media/.DS_Store': 'x',
    },
  });
  const events = await world.events();
  assert.is(events.length, 1);
  assert.is(events[0]!.trailers.Event, 'content.imported');
  const { json } = await world.admin.get('/api/media');
  assert.equal(
    json.files.map(({ url, type, width }: Record<string, unknown>) => [url, type, width]),
    [
      ['/uploads/press/deep/same.svg', 'svg', 40],
      ['/uploads/press/ink.svg', 'svg', 40],
    ],
  );
  assert.ok(await world.site().media.hasBytes(sha256(SVG)));
  const left = world.logged.flatMap(
    ({ msg }) => /^starter content: media\/(.*) is left out: /.exec(String(msg))?.[1] ?? [],
  );
  assert.equal(left.sort(), ['Press/ink.svg', 'loose.svg', 'press/Wrong Name.svg', 'press/ink.png', 'press/tool.exe']);
});

async function found(world: World, query: string): Promise<string[]> {
  const { json } = await world.admin.get(`/api/search?q=${query}`);
  return json.map(({ collection, slug }: Record<string, string>) => `${collection} ${slug}`);
}

test('search finds a file by name, folder, alt text and tags as soon as each change is answered', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'about', data: { title: 'Harbour' } });
  await upload(world.admin, 'Harbour Alphabet.gif', gif(), { folder: 'prints/2026' });
  const file = 'media prints/2026/harbour-alphabet.gif';
  assert.equal(await found(world, 'alphab'), [file]);
  assert.equal(await found(world, 'prints'), [file]);
  assert.equal((await found(world, 'harbour')).sort(), [file, 'posts about']);
  assert.equal(await found(world, 'harbour&collection=media'), [file]);
  assert.equal(await found(world, 'harbour&collection=posts'), ['posts about']);
  assert.equal(await found(world, 'harbour&status=draft'), ['posts about']);
  await world.admin.patch('/api/media/prints/2026/harbour-alphabet.gif', { alt: 'Zwölf Möwen', tags: ['woodcut'] });
  assert.equal(await found(world, 'mowen+woodcut'), [file]);
  const { json } = await world.admin.get('/api/search?q=alphabet');
  assert.equal(json[0], {
    collection: 'media',
    collectionLabel: 'Media',
    slug: 'prints/2026/harbour-alphabet.gif',
    title: 'harbour-alphabet.gif',
    status: 'published',
    matchedIn: 'title',
  });
  await world.restart();
  assert.equal(await found(world, 'mowen'), [file]);
  await world.admin.delete('/api/media/prints/2026/harbour-alphabet.gif');
  assert.equal(await found(world, 'mowen'), []);
  await world.restart();
  assert.equal(await found(world, 'alphabet'), []);
});

test('a file that was pushed into no folder is changed and removed by its name', async () => {
  await using world = await makeWorld();
  await upload(world.admin, 'a.gif', gif());
  const { store } = world.site();
  await store.log.flush();
  const pointer = toPointerFile({ sha256: sha256(gif()), sizeBytes: gif().length }).toString();
  commitBeside(store.repository, { 'media/Top File.gif': pointer }, undefined, 'refs/heads/main');
  await eventually(() => assert.ok(world.site().media.find('', 'Top File.gif')), 5000);
  const changed = await world.appended(() => world.admin.patch('/api/media/Top%20File.gif', { alt: 'Top' }));
  assert.is(changed.result.json.alt, 'Top', changed.result.text);
  assert.is(changed.events[0]!.trailers.Media, 'Top%20File.gif');
  assert.is((await world.admin.get('/api/cms/changes')).json.changes.at(-1).slug, 'Top File.gif');
  assert.is((await world.admin.delete('/api/media/Top%20File.gif')).status, 200);
  assert.equal([...world.site().media.files()].length, 1);
});

test.run();
