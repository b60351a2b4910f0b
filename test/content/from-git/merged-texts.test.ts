// A text that our waiting change and an external commit both changed: paragraphs of both are kept, and what is not shown
// is named where people look.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeGitWorld } from '../../git/world.ts';
import { git } from '../../support/git.ts';

const FILE = 'content/posts/hello.json';
const TEXT = 'One.\n\nTwo is a sentence.\n\nThree.\n';

test('a push below a waiting change keeps the paragraphs of both, and says which field does not show', async () => {
  await using world = await makeGitWorld();
  const { admin } = world;
  await admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello', body: TEXT } });
  await world.events();
  const clone = await world.clone(await world.secret(['content:read', 'content:write']));
  const doc = JSON.parse(await clone.git('show', `HEAD:${FILE}`));
  doc.data = { ...doc.data, title: 'Theirs', body: TEXT.replace('Three', 'Third') };
  await clone.commit({ [FILE]: `${JSON.stringify(doc, null, 2)}\n` });
  const theirs = await clone.git('rev-parse', 'HEAD');
  // Another git holds the lock of the branch, so our change waits in the write-ahead log.
  const lock = join(world.repository, 'refs', 'heads', 'main.lock');
  writeFileSync(lock, '');
  await admin.patch('/api/cms/posts/hello', { data: { title: 'Ours', body: TEXT.replace('One', 'First') } });
  const pushing = clone.push();
  await new Promise((resume) => setTimeout(resume, 300));
  rmSync(lock);
  const { ok, stderr } = await pushing;
  assert.ok(ok, stderr);
  assert.match(stderr, new RegExp(`field "title" of "${FILE}" .* yours is kept in ${theirs.slice(0, 10)}`));
  assert.not.match(stderr, /field "body"/);

  await world.events();
  const { data } = (await admin.get('/api/cms/posts/hello')).json;
  assert.equal(data, { title: 'Ours', body: 'First.\n\nTwo is a sentence.\n\nThird.\n' });
  const notShown = [{ path: FILE, field: 'title', commit: theirs }];
  const { changes } = (await admin.get('/api/cms/changes')).json;
  assert.equal(changes.at(-1).notShown, notShown);
  const { entries } = (await admin.get('/api/cms/posts/hello/history')).json;
  assert.equal(entries[0].notShown, notShown);
  assert.equal(entries[1].notShown, undefined);
  assert.is(JSON.parse(await git(world.repository, 'show', `${theirs}:${FILE}`)).data.title, 'Theirs');
});

test.run();
