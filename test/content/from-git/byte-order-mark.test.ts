// Files written by an editor on Windows: every reader ignores a byte order mark and CRLF, and the next change removes
// them.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../../src/config/parse.ts';
import { verifySite } from '../../../src/sites/verify-site.ts';
import { commitBeside } from '../../support/external.ts';
import { git } from '../../support/git.ts';
import { untilTakenIn } from '../../support/store-world.ts';
import { CONFIG, makeWorld, START } from '../../support/world.ts';

const PATH = 'content/posts/marked.json';
const ID = 'MarkedMarked';

function marked(title: string): string {
  const dates = { createdAt: START, updatedAt: START };
  const doc = { id: ID, slug: 'marked', collection: 'posts', status: 'published', ...dates, data: { title } };
  return `\ufeff${JSON.stringify(doc, null, 2).replaceAll('\n', '\r\n')}\r\n`;
}

test('a document with a byte order mark and CRLF is served, listed, logged and verified like any other', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'other', data: { title: 'other' } });
  const { store } = world.site();
  await store.log.flush();
  const beside = async (title: string) => {
    const commit = commitBeside(store.repository, { [PATH]: marked(title) }, undefined, 'refs/heads/main');
    await untilTakenIn(store);
    return commit;
  };
  const first = await beside('first');
  const second = await beside('second');
  const { json } = await world.admin.get('/api/cms/posts/marked');
  assert.is(json.data.title, 'second');
  assert.equal([...world.site().warnings], []);

  const { changes } = (await world.admin.get('/api/cms/changes')).json;
  assert.equal(
    changes.slice(1).map(({ event, slug, id, fields }: Record<string, unknown>) => [event, slug, id, fields]),
    [
      ['document.created', 'marked', ID, ['title']],
      ['document.updated', 'marked', ID, ['title']],
    ],
  );
  const then = await world.admin.get(`/api/cms/posts/marked/history/${first}`);
  assert.is(then.json.data.title, 'first');
  const diff = await world.admin.get(`/api/cms/posts/marked/diff?from=${first}&to=${second}`);
  assert.equal(diff.json.fields, [{ field: 'title', before: 'first', after: 'second' }]);
  assert.is((await world.admin.post('/api/cms/posts/marked/restore', { commit: first })).json.data.title, 'first');
  await store.log.flush();
  const text = await git(store.repository, 'show', `main:${PATH}`);
  assert.is(text.startsWith('{\n  "id"'), true);
  assert.not.match(text, '\r');
});

test('a change of ours is replayed on a file with a mark that came below it, and is written without the mark', async () => {
  await using world = await makeWorld();
  const { store } = world.site();
  commitBeside(store.repository, { [PATH]: marked('first') }, [], 'refs/heads/main');
  await untilTakenIn(store);
  const writing = world.site().content.update(
    'posts',
    { slug: 'marked' },
    { data: { rank: 1 } },
    {
      kind: 'system',
      name: 'Colophon',
      email: 'colophon@localhost',
    },
  );
  commitBeside(store.repository, { [PATH]: marked('second') }, undefined, 'refs/heads/main');
  await writing;
  await untilTakenIn(store);
  assert.equal((await world.admin.get('/api/cms/posts/marked')).json.data, { title: 'second', rank: 1 });
  assert.is((await git(store.repository, 'show', `main:${PATH}`)).startsWith('{\n'), true);
});

test('colophon verify accepts a file with a mark', async () => {
  let folder = '';
  await using world = await makeWorld();
  const { store } = world.site();
  folder = store.repository.replace(/\/content\.git$/, '');
  commitBeside(store.repository, { [PATH]: marked('first'), 'content/posts/broken.json': '{' }, [], 'refs/heads/main');
  await untilTakenIn(store);
  const copy = `${folder}-copy`;
  await git(folder, 'clone', '--quiet', '--mirror', store.repository, `${copy}/content.git`);
  const report = await verifySite({ id: 'default', org: 'default', config: parseConfig(CONFIG), folder: copy });
  assert.equal(report.problems, []);
  assert.is(report.warnings.length, 1);
  assert.is(report.counts.documents, 1);
});

test.run();
