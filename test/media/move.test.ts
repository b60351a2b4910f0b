// A file at another place: in one commit, with the documents that point to it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { gif, upload } from '../support/upload.ts';
import { makeWorld, type World } from '../support/world.ts';

const CONFIG: SiteConfigInput = {
  collections: [
    {
      name: 'posts',
      access: { read: 'public' },
      fields: [
        { name: 'title', type: 'text' },
        { name: 'cover', type: 'image' },
        { name: 'gallery', type: 'image-gallery' },
        { name: 'body', type: 'richtext' },
        { name: 'page', type: 'htmldoc' },
        { name: 'parts', type: 'blocks' },
      ],
    },
  ],
  blocks: [{ name: 'figure', fields: [{ name: 'picture', type: 'image' }] }],
};

const OLD = '/uploads/images/a.gif';
const NEW = '/uploads/trips/rain.gif';

async function makeUsed(): Promise<World> {
  const world = await makeWorld({ config: CONFIG });
  await upload(world.admin, 'a.gif', gif());
  await world.admin.patch('/api/media/images/a.gif', { alt: 'Rain', tags: ['wet'] });
  return world;
}

const move = (world: World, body: object, headers = {}) => world.admin.patch('/api/media/images/a.gif', body, headers);

test('a move is one commit: the file is at its new place with its description, and nothing at the old one', async () => {
  await using world = await makeUsed();
  const [before] = (await world.admin.get('/api/media')).json.files;
  const { result, events } = await world.appended(() => move(world, { folder: 'trips', name: 'rain.gif' }));
  assert.is(result.status, 200, result.text);
  const after = { ...before, folder: 'trips', name: 'rain.gif', url: NEW };
  assert.equal(result.json, after);
  assert.is(result.headers.etag, `"${before.sha256}"`);
  assert.equal(
    events.map(({ subject, trailers }) => [
      subject,
      trailers.Event,
      trailers.Media,
      trailers.Fields,
      trailers['Renamed-From'],
    ]),
    [
      [
        'media/trips/rain.gif: rename from images/a.gif',
        'media.updated',
        'trips/rain.gif',
        'folder, name',
        'images/a.gif',
      ],
    ],
  );
  assert.equal((await world.admin.get('/api/media')).json, { files: [after], total: 1 });
  assert.equal((await world.admin.get('/api/media/folders')).json.folders, [
    { folder: 'trips', files: 1, filesBelow: 0 },
  ]);
  assert.is((await world.anonymous.get(NEW)).status, 200);
  for (const path of [OLD, `${OLD}?w=1`]) assert.is((await world.anonymous.get(path)).status, 404, path);
  assert.is((await world.admin.patch('/api/media/images/a.gif', { alt: 'x' })).status, 404);
  assert.equal(
    (await world.admin.get('/api/search?q=rain&collection=media')).json.map(({ slug }: { slug: string }) => slug),
    ['trips/rain.gif'],
  );
  await world.restart();
  assert.equal((await world.admin.get('/api/media')).json, { files: [after], total: 1 });
});

test('alt text and tags may change with the place; the same place is no move', async () => {
  await using world = await makeUsed();
  const same = await world.appended(() => move(world, { folder: 'images', name: 'a.gif', updateReferences: true }));
  assert.equal([same.result.status, same.events], [200, []]);
  const { result, events } = await world.appended(() => move(world, { name: 'b.gif', alt: 'Sun', tags: null }));
  assert.equal([result.json.url, result.json.alt, result.json.tags], ['/uploads/images/b.gif', 'Sun', []]);
  assert.equal(
    events.map(({ trailers }) => trailers.Fields),
    ['name, alt, tags'],
  );
});

test('with updateReferences the documents name the new address in the same commit, in every kind of field', async () => {
  await using world = await makeUsed();
  const nodes = (url: string) => ({
    type: 'doc',
    content: [
      { type: 'image', attrs: { src: url, alt: 'x' } },
      { type: 'text', text: OLD, marks: [{ type: 'link', attrs: { href: url } }] },
    ],
  });
  const data = (url: string) => [
    { cover: url },
    { cover: `${url}?w=300&format=auto#x` },
    {
      gallery: [
        { url: '/uploads/images/b.gif', alt: '' },
        { url, alt: 'x' },
      ],
    },
    { body: `Two: ![alt](${url} "title") and [it](<${url}?w=9>)\n\n<img src="${url}">` },
    { body: nodes(url) },
    { page: `<html><video poster='${url}'></video></html>` },
    { parts: [{ _block: 'figure', picture: url }] },
  ];
  const others = [{ title: OLD }, { cover: `${OLD}.png` }, { cover: `${OLD}?site=other` }, { body: `\`${OLD}\`` }];
  const ids: string[] = [];
  for (const [index, one] of [...data(OLD), ...others].entries())
    ids.push((await world.admin.post('/api/cms/posts', { slug: `p${index}`, data: one })).json.id);
  const { result, events } = await world.appended(() =>
    move(world, { folder: 'trips', name: 'rain.gif', updateReferences: true }),
  );
  assert.is(result.status, 200, result.text);
  assert.is(result.json.warnings, undefined);
  assert.is(events.length, 1);
  const used = data(OLD).length;
  assert.equal(events[0]!.trailers['Also-Changed']!.split(', ').sort(), ids.slice(0, used).sort());
  const read = async () =>
    Promise.all(ids.map(async (_, index) => (await world.admin.get(`/api/cms/posts/p${index}`)).json.data));
  const expected = [...data(NEW), ...others];
  assert.equal(await read(), expected);
  assert.is((await world.admin.get('/api/media/trips/rain.gif/references')).json.total, used);
  await world.restart();
  assert.equal(await read(), expected);
});

test('without updateReferences the answer names the documents that still point there, as far as the caller sees them', async () => {
  await using world = await makeUsed();
  await world.admin.post('/api/cms/posts', { slug: 'draft', data: { title: 'A draft', cover: OLD } });
  await world.admin.post('/api/cms/posts', { slug: 'live', status: 'published', data: { body: `![](${OLD})` } });
  const blind = await world.token(['media:write']);
  assert.is((await blind.patch('/api/media/images/a.gif', { name: 'b.gif' })).json.warnings, undefined);
  await world.admin.patch('/api/media/images/b.gif', { name: 'a.gif' });
  const { json } = await move(world, { folder: 'trips' });
  assert.equal(json.warnings, [
    { path: 'posts/draft', message: `"A draft" points to ${OLD} in cover` },
    { path: 'posts/live', message: `"live" points to ${OLD} in body` },
  ]);
  assert.is((await world.admin.get('/api/cms/posts/live')).json.data.body, `![](${OLD})`);
});

test('a place that cannot be is refused and changes nothing', async () => {
  await using world = await makeUsed();
  await upload(world.admin, 'taken.gif', gif(1));
  await upload(world.admin, 'words.txt', 'some,words\n');
  const bad = [
    { name: 'A b.gif' },
    { name: 'b' },
    { name: '' },
    { name: '.gif' },
    { name: '../b.gif' },
    { name: 'x/b.gif' },
    { name: 'b.png' },
    { name: 'b.html' },
    { name: 'con.gif' },
    { name: `${'a'.repeat(181)}.gif` },
    { name: null },
    { name: 5 },
    { folder: '' },
    { folder: 'Images' },
    { folder: '../x' },
    { folder: 'a//b' },
    { folder: 'nul' },
    { folder: 'x'.repeat(201) },
    { folder: 'a/'.repeat(17).slice(0, -1) },
    { updateReferences: 'yes' },
  ];
  for (const body of bad) {
    const { result, events } = await world.appended(() => move(world, body));
    assert.equal([result.status, events], [400, []], JSON.stringify(body));
  }
  for (const name of ['b.js', 'b.html', 'b.gif'])
    assert.is((await world.admin.patch('/api/media/documents/words.txt', { name })).status, 400, name);
  const taken = await world.appended(() => move(world, { name: 'taken.gif' }));
  assert.equal([taken.result.status, taken.result.json.code, taken.events], [409, 'conflict', []]);
  assert.is((await world.admin.patch('/api/media/images/none.gif', { name: 'b.gif' })).status, 404);
  assert.is((await world.anonymous.get(OLD)).status, 200);
});

test('an extension that fits the bytes is taken, and the type follows it', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await upload(world.admin, 'words.txt', 'some,words\n1,2\n');
  const named = await world.admin.patch('/api/media/documents/words.txt', { name: 'words.csv' });
  assert.is(named.status, 200, named.text);
  assert.match(String((await world.anonymous.get('/uploads/documents/words.csv')).headers['content-type']), 'text/csv');
});

test('If-Match holds for the bytes that the file has', async () => {
  await using world = await makeUsed();
  const { headers } = await world.anonymous.get(OLD);
  const other = await move(world, { name: 'b.gif' }, { 'If-Match': '"other"' });
  assert.equal([other.status, other.json.code, other.headers.etag], [412, 'precondition_failed', headers.etag]);
  assert.is((await move(world, { name: 'b.gif' }, { 'If-Match': String(headers.etag) })).status, 200);
  const star = { 'If-Match': '*' };
  assert.is((await world.admin.patch('/api/media/images/b.gif', { name: 'a.gif' }, star)).status, 200);
});

test('rights: media:write moves, content:draft takes documents along, public ones take content:write, and locks hold', async () => {
  await using world = await makeUsed();
  await world.admin.post('/api/cms/posts', { slug: 'live', status: 'published', data: { cover: OLD } });
  const body = { name: 'b.gif', updateReferences: true };
  const path = '/api/media/images/a.gif';
  assert.is((await world.anonymous.patch(path, body)).status, 401);
  const viewer = await world.user('viewer');
  assert.equal([(await viewer.patch(path, body)).status, (await viewer.put(path, gif(2))).status], [403, 403]);
  assert.is((await (await world.token(['media:write'])).patch(path, body)).status, 403);
  const author = await world.user('author');
  const refused = await world.appended(() => author.patch(path, body));
  assert.equal([refused.result.status, refused.events], [403, []]);
  assert.is((await world.anonymous.get(OLD)).status, 200);
  await world.admin.patch('/api/cms/posts/live', { status: 'draft' });
  assert.is((await author.patch(path, body)).status, 200);
  assert.is((await world.admin.get('/api/cms/posts/live')).json.data.cover, '/uploads/images/b.gif');
});

test('two moves to one place, and a move beside an upload, end with two files', async () => {
  await using world = await makeUsed();
  await upload(world.admin, 'b.gif', gif(1));
  const both = await Promise.all(
    ['a', 'b'].map((name) => world.admin.patch(`/api/media/images/${name}.gif`, { folder: 'trips', name: 'one.gif' })),
  );
  assert.equal(both.map(({ status }) => status).sort(), [200, 409]);
  const [moved, sent] = await Promise.all([
    world.admin.patch('/api/media/trips/one.gif', { folder: 'images', name: 'two.gif' }),
    upload(world.admin, 'two.gif', gif(2)),
  ]);
  assert.is(sent.status, 200);
  assert.ok(moved.status === 200 || moved.status === 409, moved.text);
  const { files } = (await world.admin.get('/api/media')).json;
  assert.equal([files.length, new Set(files.map(({ url }: { url: string }) => url)).size], [3, 3]);
});

test('the feed has a move as an external one: one file less, one more, and the documents that follow', async () => {
  await using world = await makeUsed();
  const { json: post } = await world.admin.post('/api/cms/posts', { slug: 'p', data: { cover: OLD } });
  const { head } = (await world.admin.get('/api/cms/changes')).json;
  await move(world, { folder: 'trips', updateReferences: true });
  const { changes } = (await world.admin.get(`/api/cms/changes?since=${head}`)).json;
  assert.equal(
    changes.map(({ event, collection, slug }: Record<string, string>) => `${event} ${collection}/${slug}`).sort(),
    ['document.updated posts/p', 'media.deleted media/images/a.gif', 'media.uploaded media/trips/a.gif'],
  );
  const { entries } = (await world.admin.get('/api/cms/posts/p/history')).json;
  assert.equal(
    entries.map(({ event, fields }: { event: string; fields: string[] }) => [event, fields]),
    [
      ['document.updated', ['cover']],
      ['document.created', ['cover']],
    ],
  );
  const restored = await world.admin.post('/api/cms/posts/p/restore', { commit: entries[1].commit });
  assert.equal([restored.json.id, restored.json.data.cover], [post.id, OLD]);
});

test.run();
