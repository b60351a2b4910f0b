// Pushes whose documents have keys that look like slips are accepted, and their output names what was probably meant.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { makeGitWorld } from '../world.ts';

const fields = [
  { name: 'title', type: 'text' },
  { name: 'summary', type: 'textarea' },
  { name: 'body', type: 'richtext' },
] as const;
const CONFIG: SiteConfigInput = {
  collections: [
    { name: 'posts', format: 'markdown', fields: [...fields] },
    { name: 'notes', fields: [...fields] },
  ],
};

const markdown = (...lines: string[]): string => ['---', 'title: T', ...lines, '---', 'Text.', ''].join('\n');
const saidOf = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('remote: content/'))
    .map((line) => line.replace(/^remote: /, '').replace(/ \([0-9a-f]{10}\) *$/, ''))
    .sort();

test('the output of a push names misspelt keys of front matter and data, and the documents keep them', async () => {
  await using world = await makeGitWorld({ config: CONFIG });
  const clone = await world.clone();
  await clone.commit({
    'content/posts/slip.md': markdown('sumary: Short'),
    'content/posts/status.md': markdown('status: draft'),
    'content/posts/document.md': markdown('_Document:', '  status: draft'),
    'content/posts/fine.md': markdown('summary: Short', 'weight: 5', '_document:', '  status: draft'),
    'content/notes/slip.json': '{"data": {"title": "T", "boddy": "Text", "locale": "de"}}\n',
  });
  const { ok, stderr } = await clone.push();
  assert.ok(ok, stderr);
  assert.equal(saidOf(stderr), [
    'content/notes/slip.json: data has a key "boddy" that is no field of notes; did you mean "body"?',
    'content/notes/slip.json: data has a key "locale" that is no field of notes; the document\'s own belongs beside "data"',
    'content/posts/document.md: data has a key "_Document" that is no field of posts; did you mean "_document"?',
    'content/posts/slip.md: data has a key "sumary" that is no field of posts; did you mean "summary"?',
    'content/posts/status.md: data has a key "status" that is no field of posts; the document\'s own belongs below "_document"',
  ]);
  const { json } = await world.admin.get('/api/cms/posts/slip');
  assert.equal(json.data, { title: 'T', sumary: 'Short', body: 'Text.' });
});

test('a slip is said once, not again with later changes or a rename, and not if the push mends it', async () => {
  await using world = await makeGitWorld({ config: CONFIG });
  const clone = await world.clone();
  await clone.commit({ 'content/posts/a.md': markdown('sumary: Short'), 'content/posts/b.md': markdown('sumary: B') });
  await clone.commit({ 'content/posts/b.md': markdown('summary: B') });
  const first = await clone.push();
  assert.equal(saidOf(first.stderr).length, 1, first.stderr);
  await world.admin.patch('/api/cms/posts/a', { data: { title: 'With an id' } });
  await clone.git('pull', '--quiet');
  const text = await clone.git('show', 'HEAD:content/posts/a.md');
  await clone.commit({ 'content/posts/a.md': `${text}\n`.replace('Text.', 'Other.') });
  const edited = await clone.push();
  assert.ok(edited.ok, edited.stderr);
  assert.equal(saidOf(edited.stderr), []);
  await clone.commit({ 'content/posts/a.md': null, 'content/posts/c.md': `${text}\n` });
  const renamed = await clone.push();
  assert.ok(renamed.ok, renamed.stderr);
  assert.equal(saidOf(renamed.stderr), []);
});

test('a draft with a problem is pushed, and the output names what keeps it from being published; types are refused', async () => {
  await using world = await makeGitWorld({
    config: {
      collections: [
        {
          name: 'notes',
          fields: [
            { name: 'title', type: 'text', maxLength: 3 },
            { name: 'mail', type: 'email' },
          ],
        },
      ],
    },
  });
  const clone = await world.clone();
  const note = (status: string, data: object): string => JSON.stringify({ status, data });
  await clone.commit({ 'content/notes/a.json': note('draft', { title: 'Long', mail: 'ada' }) });
  const pushed = await clone.push();
  assert.ok(pushed.ok, pushed.stderr);
  assert.equal(saidOf(pushed.stderr), [
    'content/notes/a.json: data.mail expected an e-mail address like ada@example.com',
    'content/notes/a.json: data.title expected at most 3 characters',
  ]);
  assert.is((await world.admin.get('/api/cms/notes/a')).json.data.mail, 'ada');
  await clone.commit({ 'content/notes/a.json': note('draft', { title: 'Longer', mail: 'ada' }) });
  assert.equal(saidOf((await clone.push()).stderr), [], 'it was there before');
  await clone.commit({ 'content/notes/a.json': note('draft', { title: 5 }) });
  const typed = await clone.push();
  assert.ok(!typed.ok && typed.stderr.includes('data.title'), typed.stderr);
  await clone.git('reset', '--hard', '--quiet', 'HEAD~1');
  await clone.commit({ 'content/notes/a.json': note('published', { title: 'Longer', mail: 'ada' }) });
  const published = await clone.push();
  assert.ok(!published.ok && published.stderr.includes('does not fit the schema'), published.stderr);
});

test('a push to changes/<name> says the same', async () => {
  await using world = await makeGitWorld({ config: CONFIG });
  const clone = await world.clone();
  await clone.commit({ 'README.md': 'Posts\n' });
  await clone.pushed();
  await clone.commit({ 'content/posts/slip.md': markdown('sumary: Short') });
  const { ok, stderr } = await clone.push('HEAD:refs/heads/changes/slip');
  assert.ok(ok, stderr);
  assert.match(saidOf(stderr)[0] ?? stderr, 'did you mean "summary"');
});

test.run();
