// Pushes while others write over HTTP: every accepted change is in the history exactly once.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { gitDocuments, gitLog } from '../../support/git.ts';
import { createRandom } from '../../support/random.ts';
import { type Clone, type GitWorld, makeGitWorld, postFile } from '../world.ts';

const PUSHES = 2;

/** Pushes until the push is accepted, each time among HTTP writes. Returns the number of tries. */
async function pushAmong(world: GitWorld, clone: Clone, writeSome: () => Promise<void>): Promise<number> {
  for (let tries = 1; ; tries++) {
    const [{ ok, stderr }] = await Promise.all([clone.push(), writeSome()]);
    if (ok) return tries;
    assert.match(stderr, /fetch first|non-fast-forward/);
    assert.ok(tries < 50, 'the push is never accepted');
    await clone.git('pull', '--quiet', '--rebase', 'origin', 'main');
    assert.equal(
      world.logged.filter(({ level }) => Number(level) >= 50),
      [],
    );
  }
}

test('concurrent writes and pushes lose neither', async () => {
  await using world = await makeGitWorld({ now: 'real' });
  const random = createRandom(7);
  const title = 'Hello';
  for (const n of [0, 1, 2]) await world.admin.post('/api/cms/posts', { slug: `shared-${n}`, data: { title } });
  let writes = 3;

  async function writeSome(): Promise<void> {
    const some = Array.from({ length: random.whole(0, 3) }, async () => {
      const n = writes++;
      const reply =
        n % 2
          ? await world.admin.post('/api/cms/posts', { slug: `http-${n}`, data: { title: `${n}` } })
          : await world.admin.patch(`/api/cms/posts/shared-${n % 3}`, { data: { [`key${n}`]: n } });
      assert.is(reply.status, 200, reply.text);
    });
    await Promise.all(some);
  }

  const secret = await world.secret();
  const clones = [await world.clone(secret), await world.clone(secret)];
  await Promise.all(
    clones.map(async (clone, who) => {
      for (let n = 0; n < PUSHES; n++) {
        await clone.commit({ [`content/posts/push-${who}-${n}.json`]: postFile(`push-${who}-${n}`) });
        await pushAmong(world, clone, writeSome);
      }
    }),
  );
  await world.events();

  const log = await gitLog(world.repository);
  const ids = log.map(({ changeId }) => changeId).filter(Boolean);
  assert.is(new Set(ids).size, writes);
  assert.is(ids.length, writes);
  assert.is(log.length, writes + clones.length * PUSHES);
  assert.ok(
    log.every(({ parents }, i) => parents.length === (i ? 1 : 0)),
    'one line of commits',
  );
  const inGit = await gitDocuments(world.repository);
  const { json } = await world.admin.get('/api/cms/posts');
  assert.is(json.total, inGit.size);
  for (const doc of json.documents) assert.equal(doc, inGit.get(`content/posts/${doc.slug}.json`));
  for (let n = 3; n < writes; n++) {
    const doc = inGit.get(n % 2 ? `content/posts/http-${n}.json` : `content/posts/shared-${n % 3}.json`);
    assert.ok(doc, `write ${n}`);
    if (n % 2 === 0) assert.is((doc.data as Record<string, unknown>)[`key${n}`], n);
  }
  for (const clone of clones) {
    await clone.git('pull', '--quiet', '--ff-only', 'origin', 'main');
    assert.is(await clone.git('fsck', '--strict'), '');
  }
  assert.equal(world.listIncoming(), []);
});

test.run();
