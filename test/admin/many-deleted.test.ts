// Many documents deleted and brought back: what is asked before, and the ways back, also after a reload.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { untilTrue } from '../support/browser.ts';
import { type AdminWorld, assertAccessible, assertQuiet, makeAdminWorld } from './world.ts';

const CONFIG: SiteConfigInput = {
  collections: [
    {
      name: 'posts',
      label: 'Posts',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'next', type: 'relation', collection: 'posts' },
      ],
    },
    { name: 'notes', label: 'Notes', fields: [{ name: 'title', type: 'text' }] },
  ],
};
const LOOK = { colorScheme: 'light', viewport: { width: 360, height: 800 } } as const;

async function plant(admin: AdminWorld, collection: string, posts: readonly [string, object][]): Promise<void> {
  const operations = posts.map(([slug, more]) => ({ op: 'create', slug, data: { title: slug }, ...more }));
  const { status, json } = await admin.world.admin.post(`/api/cms/${collection}/bulk`, { operations, atomic: true });
  assert.is(status, 200, JSON.stringify(json));
}

const countOf = async (admin: AdminWorld, collection = 'posts') =>
  (await admin.world.admin.get(`/api/cms/${collection}`)).json.total;

test('many published documents are deleted after a question, and come back with one request', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const published = { status: 'published' };
  await plant(
    admin,
    'posts',
    Array.from({ length: 120 }, (_, at) => [`p-${at}`, at < 20 ? {} : published]),
  );
  const { page, complaints } = await admin.signedIn('/content/posts');
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  const question = page.getByRole('alertdialog', { name: 'Delete' });
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check();
  await bar.getByRole('button', { name: 'Select all 120' }).click();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await question.getByText('120 documents go into the trash. Readers see 100 of them now.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  assert.is(await countOf(admin), 120);
  await bar.getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  const message = page.getByRole('status', { name: 'Messages' });
  await message.getByText('120 documents deleted').waitFor();
  assert.is(await countOf(admin), 0);
  const requests: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && requests.push(new URL(request.url()).pathname));
  await message.getByRole('button', { name: 'Undo' }).click();
  await message.getByText('120 documents are as they were').waitFor();
  assert.is(await countOf(admin), 120);
  assert.equal(
    requests.filter((one) => one.startsWith('/api/cms/')),
    ['/api/cms/posts/bulk'],
  );
  assertQuiet(complaints);
});

test('documents that others point to are asked about, and those that only go together are not', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  await plant(admin, 'posts', [['chapter', {}]]);
  await plant(admin, 'posts', [['contents', { data: { title: 'contents', next: 'chapter' } }]]);
  await plant(admin, 'posts', [['used', {}]]);
  await plant(admin, 'posts', [['stays', { data: { title: 'stays', next: 'used' } }]]);
  const { page, complaints } = await admin.signedIn('/content/posts');
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  const question = page.getByRole('alertdialog', { name: 'Delete' });
  for (const title of ['chapter', 'contents', 'used'])
    await page.getByRole('checkbox', { name: `Select ${title}` }).check();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await question.getByText('Other documents point to 1 of them').waitFor();
  assert.equal(await question.getByRole('listitem').allInnerTexts(), ['used 1 link']);
  await assertAccessible(page, 'the question', LOOK);
  assert.equal([await countOf(admin), await page.getByText('could not be changed').count()], [2, 0]);
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('status', { name: 'Messages' }).getByText('1 document deleted').waitFor();
  assert.is(await countOf(admin), 1);
  assertQuiet(complaints);
});

test('what was deleted is selected in the trash and comes back together, also after a reload', async () => {
  await using admin = await makeAdminWorld({ config: CONFIG });
  const slugs = Array.from({ length: 60 }, (_, at) => `p-${at}`);
  await plant(
    admin,
    'posts',
    slugs.map((slug) => [slug, {}]),
  );
  await plant(admin, 'notes', [['note', {}]]);
  const operations = slugs.map((id) => ({ op: 'delete', id }));
  await admin.world.admin.post('/api/cms/posts/bulk', { operations });
  await admin.world.admin.delete('/api/cms/notes/note');
  await plant(admin, 'posts', [['p-7', {}]]);
  const { page, complaints } = await admin.signedIn('/trash', { viewport: LOOK.viewport });
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  const message = page.getByRole('status', { name: 'Messages' });
  await page.getByRole('checkbox', { name: 'Select note' }).check();
  await bar.getByRole('button', { name: 'Select all 61' }).click();
  await page.getByRole('checkbox', { name: 'Select p-59' }).uncheck();
  await bar.getByText('60 selected').waitFor();
  await assertAccessible(page, 'the trash', LOOK);
  await bar.getByRole('button', { name: 'Restore' }).click();
  await message.getByText('59 documents are back').waitFor();
  await page.getByRole('alert').getByText('1 document could not be changed').waitFor();
  assert.equal([await countOf(admin), await countOf(admin, 'notes')], [59, 1]);
  assert.is((await admin.world.admin.get('/api/cms/posts/p-59')).status, 404);
  await message.getByRole('button', { name: 'Undo' }).click();
  const counted = "fetch('/api/cms/posts').then((one) => one.json()).then(({ total }) => total)";
  await untilTrue(page, `(await ${counted}) === 1 && (await ${counted.replace('posts', 'notes')}) === 0`);
  assertQuiet(complaints);
});

test.run();
