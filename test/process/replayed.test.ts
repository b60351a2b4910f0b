// Pushes into the repository that land at the moment of answered writes, and then a kill: our changes have other
// commits by then. Webhooks miss none of them, a reader of the changes goes on from any commit that it received, and a
// repeated creation gets its first answer.
import { spawn } from 'node:child_process';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../support/git.ts';
import { eventually, makePlace, type Service, setUp } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { makeReceiver } from '../support/receiver.ts';

const KILLS = 4;
const CLIENTS = 16;
const PUSHES = 4;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

interface ReportedChange {
  commit: string;
  changeId: string;
  slug: string;
}

/** Creates documents with keys and changes them until the service is gone; records what was answered. */
async function write(service: Service, cookie: string, name: string, commits: string[], keyed: Keyed[]): Promise<void> {
  const client = service.client(cookie);
  try {
    for (let n = 0; ; n++) {
      const [slug, data] = [`${name}-${n}`, { title: `${name} ${n}` }];
      const key = { 'idempotency-key': slug };
      const made = await client.post('/api/cms/posts', { slug, data }, key);
      if (made.status !== 200) throw new Error(made.text);
      keyed.push({
        slug,
        text: made.text,
        etag: String(made.headers.etag),
        commit: String(made.headers['x-cms-commit']),
      });
      const changed = await client.patch(`/api/cms/posts/${slug}`, { data: { title: `${name} ${n} again` } });
      if (changed.status !== 200) throw new Error(changed.text);
      commits.push(String(made.headers['x-cms-commit']), String(changed.headers['x-cms-commit']));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error; // killed while it was about to answer
  } finally {
    client.close();
  }
}

interface Keyed {
  slug: string;
  text: string;
  etag: string;
  commit: string;
}

/** Makes a commit of one file on top of the branch; returns false if the branch moved meanwhile. */
function push(repository: string, slug: string): Promise<boolean> {
  const id = `H${slug.replace(/\W/g, '').padStart(11, '0')}`;
  const at = new Date().toISOString();
  const head = { id, slug, collection: 'posts', status: 'draft', createdAt: at, updatedAt: at };
  const text = `${JSON.stringify({ ...head, data: { title: slug } })}\n`;
  const lines = [
    'commit refs/heads/main',
    `committer Grace <grace@example.com> ${Math.floor(Date.now() / 1000)} +0000`,
    'data <<END',
    `push ${slug}`,
    'END',
    'from refs/heads/main^0',
    `M 100644 inline content/posts/${slug}.json`,
    `data ${Buffer.byteLength(text)}`,
    text,
  ];
  const child = spawn('git', ['-C', repository, 'fast-import', '--quiet'], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => undefined).end(lines.join('\n'));
  return new Promise((done) => child.once('close', (code) => done(code === 0)));
}

test(`${KILLS} kills right after pushes cost no webhook a change, no reader its position and no key its answer`, async () => {
  const random = createRandom();
  console.log(`SEED=${random.seed}`);
  await using place = makePlace();
  const delivered = new Map<string, Set<string>>();
  await using receiver = await makeReceiver(({ headers, json }) => {
    const { changeId, slug } = json.data as ReportedChange;
    const of = `${changeId} ${slug}`;
    delivered.set(of, (delivered.get(of) ?? new Set()).add(String(headers['webhook-id'])));
    return 204;
  });
  let service = await place.start();
  const cookie = await setUp(service);
  const webhooks = [{ id: 'one', url: receiver.url, secret: SECRET, events: ['*'] }];
  const set = await service.client(cookie).post('/api/admin/site-config', { allowPrivateTargets: true, webhooks });
  assert.is(set.status, 200, set.text);

  const commits: string[] = [];
  const keyed: Keyed[] = [];
  let pushed = 0;
  for (let round = 0; round < KILLS; round++) {
    const before = commits.length;
    const writing = Array.from({ length: CLIENTS }, (_, i) => write(service, cookie, `r${round}-${i}`, commits, keyed));
    await eventually(() => assert.ok(commits.length > before + 4 * CLIENTS), 30_000);
    for (let n = 0; n < PUSHES; ) if (await push(place.repository, `p${round}-${n}`)) n++;
    pushed += PUSHES;
    await later(random.whole(0, round % 2 ? 30 : 300));
    await service.kill();
    await Promise.all(writing);
    // Another one while no service runs.
    if (round % 3 === 0 && (await push(place.repository, `down${round}`))) pushed++;
    service = await place.start();
  }

  const client = service.client(cookie);
  const all: ReportedChange[] = (await client.get('/api/cms/changes')).json.changes;
  const ours = all.filter(({ slug }) => slug.startsWith('r') || slug.startsWith('p') || slug.startsWith('down'));
  assert.is(ours.filter(({ slug }) => !slug.startsWith('r')).length, pushed);
  await eventually(() => {
    const missing = ours.filter(({ changeId, slug }) => !delivered.has(`${changeId} ${slug}`));
    assert.is(missing.length, 0, `${missing.length} of ${ours.length} reached no webhook`);
  }, 60_000);
  for (const [of, ids] of delivered) assert.ok(ids.size <= 2, of); // its creation and its change each have an id

  // Every change that a reader received is before the commit that it names, whatever its name is now.
  const positions = new Map(all.map(({ commit }, i) => [commit, i]));
  for (const commit of commits.filter((_, i) => i % 7 === 0)) {
    const { status, json, text } = await client.get(`/api/cms/changes?since=${commit}`);
    assert.is(status, 200, text);
    const now = positions.get(commit);
    if (now === undefined) continue;
    const after = all.slice(now + 1).filter((one) => one.commit !== commit);
    assert.is(json.changes.length, after.length);
  }
  const lost = commits.filter((commit) => !positions.has(commit)).length;

  for (const { slug, text, etag, commit } of keyed.filter((_, i) => i % 7 === 0)) {
    const data = { title: slug.replace(/-(\d+)$/, ' $1') };
    const again = await client.post('/api/cms/posts', { slug, data }, { 'idempotency-key': slug });
    assert.is(again.status, 200, again.text);
    assert.is(again.text, text);
    assert.is(again.headers.etag, etag);
    assert.is(again.headers['x-cms-commit'], commit);
    assert.is(again.headers['idempotent-replayed'], 'true');
  }
  await git(place.repository, 'fsck', '--strict', '--full');
  assert.is((await service.stop()).code, 0);
  console.log(`${commits.length} answered, ${lost} of them are other commits now, ${receiver.received.length} sent`);
});

test.run();
