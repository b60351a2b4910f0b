// Pushes that changes of the service went on top of, between the check and the moment when the branch moved.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { gitDocuments } from '../../support/git.ts';
import { type GitWorld, makeGitWorld } from '../world.ts';

const FIRST = 'The first paragraph speaks of a house by the sea.';
const SECOND = 'The second paragraph speaks of the people in it.';
const BODY = `${FIRST}\n\n${SECOND}`;
const FILE = 'content/posts/a.json';

/** Runs `write` once: when the next push has been checked, and before the branch moves. */
function beforeMove(world: GitWorld, write: () => Promise<unknown>): void {
  const { audit } = world.site('default');
  const { record } = audit;
  audit.record = async (...args) => {
    audit.record = record;
    await write();
    return record.apply(audit, args);
  };
}

test('a push that meets an edit of the same text keeps the paragraphs of both, and says what does not show', async () => {
  await using world = await makeGitWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'Title', body: BODY } });
  const clone = await world.clone();
  const text = await clone.git('show', `HEAD:${FILE}`);

  await clone.commit({ [FILE]: `${text.replace('house', 'mill')}\n` });
  beforeMove(world, () => world.admin.patch('/api/cms/posts/a', { data: { body: BODY.replace('people', 'ghosts') } }));
  const clean = await clone.push();
  assert.ok(clean.ok, clean.stderr);
  assert.not.match(clean.stderr, /remote:/);
  const both = BODY.replace('house', 'mill').replace('people', 'ghosts');
  assert.is((await world.admin.get('/api/cms/posts/a')).json.data.body, both);

  await world.events();
  await clone.git('pull', '--quiet', '--ff-only', 'origin', 'main');
  const now = await clone.git('show', `HEAD:${FILE}`);
  const to = await clone.commit({ [FILE]: `${now.replace('mill', 'tower').replace('Title', 'Pushed')}\n` });
  const ours = both.replace('mill', 'castle');
  beforeMove(world, () => world.admin.patch('/api/cms/posts/a', { data: { body: ours } }));
  const { ok, stderr } = await clone.push();
  assert.ok(ok, stderr);
  assert.match(stderr, new RegExp(`remote: field "body" of "${FILE}" [^\\n]* ${to.slice(0, 10)}`));
  assert.not.match(stderr, /"title"/);
  const { json } = await world.admin.get('/api/cms/posts/a');
  assert.equal(json.data, { title: 'Pushed', body: ours });
  await world.events();
  assert.equal((await gitDocuments(world.repository)).get(FILE), json);

  for (const restarted of [false, true]) {
    if (restarted) await world.restart();
    const { changes } = (await world.admin.get('/api/cms/changes')).json;
    assert.equal(changes.at(-1).notShown, [{ path: FILE, field: 'body', commit: to }]);
    const { entries } = (await world.admin.get('/api/cms/posts/a/history')).json;
    assert.equal(entries[0].notShown, [{ path: FILE, field: 'body', commit: to }]);
    assert.is(entries[2].notShown, undefined);
  }
});

test.run();
