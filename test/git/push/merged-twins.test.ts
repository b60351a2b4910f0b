// Merges of branches that both added a document: what only one file may have is refused, as in any other commit.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeGitWorld } from '../world.ts';

const ID = 'SameIdTwice1';
const at = '2026-01-02T03:04:06.000Z';
function documentOf(slug: string, id = ID): string {
  const dates = { createdAt: at, updatedAt: at };
  return `${JSON.stringify({ id, slug, collection: 'posts', status: 'draft', ...dates, data: { title: slug } })}\n`;
}

test('a merge of two branches that each add a document with one id is refused', async () => {
  await using world = await makeGitWorld();
  const clone = await world.clone();
  await clone.commit({ 'README.md': 'x\n' });
  await clone.git('branch', 'side');
  await clone.commit({ 'content/posts/one.json': documentOf('one') });
  await clone.git('switch', '--quiet', 'side');
  await clone.commit({ 'content/posts/two.json': documentOf('two') });
  await clone.git('switch', '--quiet', '-');
  await clone.git('merge', '--quiet', '--no-edit', 'side');
  const { ok, stderr } = await clone.push();
  assert.not(ok);
  assert.match(
    stderr,
    new RegExp(`content/posts/(one|two)\\.json: id "${ID}" belongs to content/posts/(two|one)\\.json`),
  );
  await clone.commit({ 'content/posts/two.json': null });
  const mended = await clone.push();
  assert.ok(mended.ok, mended.stderr);
});

test('a merge of two branches that add a document in both formats is refused', async () => {
  await using world = await makeGitWorld();
  const clone = await world.clone();
  await clone.commit({ 'README.md': 'x\n' });
  await clone.git('branch', 'side');
  await clone.commit({ 'content/posts/one.json': documentOf('one') });
  await clone.git('switch', '--quiet', 'side');
  await clone.commit({ 'content/posts/one.md': '---\ntitle: One\n---\n' });
  await clone.git('switch', '--quiet', '-');
  await clone.git('merge', '--quiet', '--no-edit', 'side');
  const { ok, stderr } = await clone.push();
  assert.not(ok);
  assert.match(stderr, /the same document is at content\/posts\/one\.(md|json)/);
});

test('a merge of a branch with a copy of a document of main is refused, and one of a rename is not', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'first', data: { title: 'F' } });
  const clone = await world.clone();
  const text = await clone.git('show', 'HEAD:content/posts/first.json');
  const moved = `${text.replace('"slug": "first"', '"slug": "moved"')}\n`;
  await clone.git('branch', 'side');
  await clone.commit({ 'README.md': 'x\n' });
  await clone.git('switch', '--quiet', 'side');
  await clone.commit({ 'content/posts/first.json': null, 'content/posts/moved.json': moved });
  await clone.git('switch', '--quiet', '-');
  await clone.git('merge', '--quiet', '--no-edit', 'side');
  const renamed = await clone.push();
  assert.ok(renamed.ok, renamed.stderr);
});

test.run();
