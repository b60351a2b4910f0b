// A week of work by two people in git and two in the API on the same texts: `npm run week -- --posts <folder>`, a folder
// of Markdown posts. All four write at the same time, and the site and its git host meet every few hundred
// milliseconds. Every word that a person wrote must be there in the end, unless a person who saw it removed it, or the
// change feed says that it does not show. `--merges <file>` writes every merge, to be looked at.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { git } from '../test/support/git.ts';
import { startGitServer } from '../test/support/git-server.ts';
import { makePlace, setUp } from '../test/support/process.ts';
import { createRandom } from '../test/support/random.ts';
import { createLedger } from './week/ledger.ts';
import { describeMerges } from './week/merges.ts';
import { createCommitter, createEditor, type Person } from './week/people.ts';

const { values } = parseArgs({
  options: {
    posts: { type: 'string' },
    texts: { type: 'string', default: '40' },
    days: { type: 'string', default: '5' },
    /** Pieces of work of each person on a day. */
    pieces: { type: 'string', default: '12' },
    format: { type: 'string', default: 'json' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    merges: { type: 'string' },
  },
});
if (!values.posts) throw new Error('name a folder of Markdown posts with --posts');

const random = createRandom(Number(values.seed));
const ledger = createLedger();
const extension = values.format === 'markdown' ? 'md' : 'json';
const posts = readPosts(values.posts).slice(0, Number(values.texts));
const slugs = posts.map(({ slug }) => slug);
console.log(
  `npm run week -- --posts ${values.posts} --format ${values.format} --seed ${values.seed}: ${posts.length} texts`,
);

await using host = await startGitServer();
const fields = [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'richtext' },
];
const collection = { name: 'posts', fields, ...(extension === 'md' ? { format: 'markdown' } : {}) };
await using place = makePlace({
  config: { collections: [collection], remote: { url: host.url } },
  readyMs: 60_000,
});
const service = await place.start();
const cookie = await setUp(service);
const client = service.client(cookie);
for (const { slug, title, body } of posts) {
  const reply = await client.post('/api/cms/posts', { slug, status: 'published', data: { title, body } });
  if (reply.status >= 300) throw new Error(`${slug}: ${reply.text}`);
}
await client.post('/api/admin/remote/sync');
const began = (await client.get('/api/cms/changes')).json.head as string;

const clones = await Promise.all(
  ['grace', 'linus'].map(async (name) => {
    const clone = path.join(place.folder, name);
    await git(place.folder, 'clone', '--quiet', host.url, clone);
    return { name, clone };
  }),
);
const people: Person[] = [
  ...['ada', 'emmy'].map((name) => createEditor({ name, ledger, random, client: service.client(cookie) })),
  ...clones.map((one) => createCommitter({ ...one, ledger, random, extension, slugs })),
];

let violations = 0;
for (let day = 1; day <= Number(values.days); day++) {
  let working = people.length;
  const meeting = (async () => {
    while (working > 0) {
      await client.post('/api/admin/remote/sync');
      await new Promise((resume) => setTimeout(resume, random.whole(50, 300)));
    }
  })();
  await Promise.all(
    people.map(async (person) => {
      // Half of the work is on a few texts that everybody has something to say about.
      const pick = (): string => slugs[random.whole(0, (random.next() < 0.5 ? 4 : slugs.length) - 1)]!;
      for (let n = 0; n < Number(values.pieces); n++) await person.work(pick());
      working--;
    }),
  );
  await meeting;
  violations += await checkDay(day);
}
for (const { name, counts } of people) console.log(`${name}: ${JSON.stringify(counts)}`);
if (values.merges) writeFileSync(values.merges, await describeMerges(host.repository, began));
await service.stop();
console.log(`${ledger.words.length} edits, ${violations} lost without a word`);
process.exit(violations ? 1 : 0);

/** The number of words that are gone although nobody removed them and nothing was said. */
async function checkDay(day: number): Promise<number> {
  for (let n = 0; n < 5; n++) await client.post('/api/admin/remote/sync');
  const { changes } = (await client.get(`/api/cms/changes?since=${began}`)).json;
  const reported = changes.flatMap(
    (change: { notShown?: { path: string; field: string; commit: string }[] }) => change.notShown ?? [],
  );
  let lost = 0;
  let reportedCount = 0;
  for (const slug of slugs) {
    const file = `content/posts/${slug}.${extension}`;
    const { title, body } = (await client.get(`/api/cms/posts/${slug}`)).json.data;
    const atHost = await git(host.repository, 'show', `main:${file}`);
    for (const missing of ledger.missing(slug, `${title}\n${body}`)) {
      const words = await Promise.all(
        reported
          .filter((one: { path: string }) => one.path === file)
          .map(({ commit }: { commit: string }) => git(host.repository, 'show', `${commit}:${file}`).catch(() => '')),
      );
      if (words.some((text: string) => text.includes(missing.word))) {
        reportedCount++;
        missing.removedBy.push('the merge, which said so');
        continue;
      }
      lost++;
      missing.removedBy.push('lost');
      console.log(`day ${day}: "${missing.word}" of ${missing.who} (${missing.kind}) is gone from ${slug}`);
    }
    for (const { word, removedBy } of ledger.words.filter((one) => one.slug === slug))
      if (removedBy.length === 0 && !atHost.includes(word))
        console.log(`day ${day}: the host lacks "${word}" of ${slug}`);
  }
  console.log(`day ${day}: ${ledger.words.length} edits, ${reportedCount} reported as not shown, ${lost} lost`);
  return lost;
}

function readPosts(folder: string): { slug: string; title: string; body: string }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && statSync(path.join(folder, name)).size > 3000)
    .sort()
    .map((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const [, , head = '', body = ''] = /^(\+\+\+|---)\n(.*?)\n\1\n(.*)$/s.exec(text) ?? [];
      const title = /^title(?: =|:) "?(.*?)"?$/m.exec(head)?.[1] ?? name;
      return {
        slug: name
          .slice(0, -3)
          .toLowerCase()
          .replaceAll(/[^a-z0-9-]+/g, '-'),
        title,
        body: body.trim(),
      };
    })
    .filter(({ body }) => body.length > 2000);
}
