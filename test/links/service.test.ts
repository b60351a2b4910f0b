// A run of the link check: its report, the links that it leaves for later, and how it ends.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createExtract } from '../../src/links/extract.ts';
import type { LinkReport } from '../../src/links/report.ts';
import { openElsewhere } from './server.ts';
import { makeLinks } from './world.ts';

const HOUR = 3600_000;

function summaryOf({ broken }: LinkReport): string[] {
  return broken.map(({ url, kind, error, status, documents, places }) => {
    const where = documents.map(({ slug, field }) => `${slug}.${field}`).join(' ');
    return `${kind} ${url.replace(/http:\/\/127\.0\.0\.1:\d+/, '')} ${error} ${status} ${where} ${places}`;
  });
}

test('the report lists broken links with the reason, and the documents and fields that have them', async () => {
  await using elsewhere = await openElsewhere();
  const { url } = elsewhere;
  await using world = makeLinks({
    one: `[a](/blog/two) [b](/blog/gone) [c](${url}/gone) [d](${url}/fine) ![e](/uploads/images/no.png)`,
    two: `[a](gone) [b](${url}/gone#part) ![c](/uploads/images/here.png) [d](mailto:a@b.example) [e](/blog/later)`,
    later: `draft:[a](${url}/never) [b](/never)`,
  });
  const report = await world.links.run();
  assert.equal(summaryOf(report), [
    'internal /blog/gone not_found null one.body 1',
    'internal /uploads/images/no.png not_found null one.body 1',
    'internal gone not_found null two.body 1',
    'internal /blog/later not_published null two.body 1',
    'external /gone http_status 404 one.body two.body 2',
  ]);
  const { documents, unread, links, checked, asked, skipped, unsure, isComplete, brokenTotal } = report;
  assert.equal(
    { documents, unread, links, checked, asked, skipped, unsure, isComplete, brokenTotal },
    {
      documents: 2,
      unread: 0,
      links: 10,
      checked: 7,
      asked: 2,
      skipped: 0,
      unsure: 0,
      isComplete: true,
      brokenTotal: 5,
    },
  );
  assert.equal(elsewhere.asked, ['HEAD /gone', 'GET /gone', 'HEAD /fine']);
  assert.equal(await world.links.report(), report);
  assert.equal(JSON.parse(readFileSync(path.join(world.folder, '_data', 'link-check.json'), 'utf8')), report);
});

test('documents of all batches are read', async () => {
  const many = Array.from({ length: 250 }, (_, n) => [`p${n}`, `[a](/blog/p${n + 1})`]);
  await using world = makeLinks(Object.fromEntries(many));
  const report = await world.links.run();
  assert.equal([report.documents, report.unread, report.links], [250, 0, 250]);
  assert.equal(summaryOf(report), ['internal /blog/p250 not_found null p249.body 1']);
});

test('in a document with too many links only the first are checked, and the rest are counted', async () => {
  await using world = makeLinks({ one: '[a](/blog/no) '.repeat(2500) });
  const report = await world.links.run();
  assert.equal([report.links, report.skipped, report.isComplete], [2500, 500, false]);
  assert.is(report.broken[0]?.places, 2000);
  assert.is(report.broken[0]?.documents.length, 10);
});

test('links to the site’s own address are looked up without a request', async () => {
  await using world = makeLinks(
    { one: '[a](https://www.example.com/blog/one) [b](https://www.example.com/blog/no)' },
    { ownUrls: ['https://www.example.com/', ''] },
  );
  const report = await world.links.run();
  assert.equal(summaryOf(report), ['internal https://www.example.com/blog/no not_found null one.body 1']);
  assert.is(report.asked, 0);
});

test('a private address is reported and not requested', async () => {
  await using elsewhere = await openElsewhere();
  await using world = makeLinks({ one: `[a](${elsewhere.url}/fine)` }, { allowPrivate: false });
  const [link] = (await world.links.run()).broken;
  assert.is(link?.error, 'private_address');
  assert.equal(elsewhere.asked, []);
});

test('links that were fine within a day are not requested again, broken ones are', async () => {
  await using elsewhere = await openElsewhere();
  await using world = makeLinks({ one: `[a](${elsewhere.url}/fine) [b](${elsewhere.url}/gone)` });
  const ask = async (): Promise<string[]> => {
    elsewhere.asked.length = 0;
    await world.links.run();
    return elsewhere.asked.filter((line) => line.startsWith('HEAD'));
  };
  assert.equal(await ask(), ['HEAD /fine', 'HEAD /gone']);
  world.advance(HOUR);
  assert.equal(await ask(), ['HEAD /gone']);
  world.advance(24 * HOUR);
  assert.equal(await ask(), ['HEAD /fine', 'HEAD /gone']);
  world.bodies.one = '';
  assert.equal((await world.links.run()).broken, []);
});

test('links beyond the limit of a run are requested by the next one, and earlier results are kept', async () => {
  await using elsewhere = await openElsewhere();
  const paths = ['/gone?1', '/gone?2', '/gone?3'];
  await using world = makeLinks(
    { one: paths.map((one) => `[x](${elsewhere.url}${one})`).join(' ') },
    { limits: { maxAsked: 2 } },
  );
  const first = await world.links.run();
  assert.equal([first.asked, first.skipped, first.isComplete, first.broken.length], [2, 1, false, 2]);
  world.advance(HOUR);
  const second = await world.links.run();
  assert.equal([second.asked, second.skipped, second.isComplete, second.broken.length], [2, 0, true, 3]);
  assert.ok(elsewhere.asked.includes('HEAD /gone?3'));
});

test('a run that takes too long ends with the results that it has', async () => {
  await using elsewhere = await openElsewhere();
  const body = Array.from({ length: 5 }, (_, n) => `[x](${elsewhere.url}/hangs?${n})`).join(' ');
  await using world = makeLinks({ one: body }, { limits: { maxRunMs: 50 } });
  const report = await world.links.run();
  assert.equal([report.asked, report.skipped, report.isComplete], [1, 4, false]);
  assert.equal(summaryOf(report), ['external /hangs?0 timeout null one.body 1']);
});

test('two calls at once share one run', async () => {
  await using elsewhere = await openElsewhere();
  await using world = makeLinks({ one: `[a](${elsewhere.url}/fine)` });
  const runs = [world.links.run(), world.links.run()];
  assert.ok(world.links.isRunning());
  const [one, two] = await Promise.all(runs);
  assert.is(one, two);
  assert.not.ok(world.links.isRunning());
  assert.is(elsewhere.asked.length, 1);
});

test('the end of the service does not wait for external servers, and the last report stays', async () => {
  await using elsewhere = await openElsewhere();
  await using world = makeLinks({ one: `[a](${elsewhere.url}/gone)` }, { limits: { timeoutMs: 60_000 } });
  const before = await world.links.run();
  world.bodies.one = `[a](${elsewhere.url}/hangs)`;
  const run = world.links.run();
  const ended = run.then(
    () => 'done',
    (error) => error.code,
  );
  while (!elsewhere.asked.includes('HEAD /hangs')) await new Promise((resolve) => setTimeout(resolve, 5));
  const started = performance.now();
  await world.links.close();
  assert.ok(performance.now() - started < 5000);
  assert.is(await ended, 'unavailable');
  assert.equal(await world.links.report(), before);
  assert.equal(world.warnings, []);
});

test('a report that cannot be read counts as missing, and the next run replaces it', async () => {
  await using world = makeLinks({ one: '[a](/blog/no)' });
  mkdirSync(path.join(world.folder, '_data'));
  for (const name of ['link-check.json', 'link-check-known.json']) {
    writeFileSync(path.join(world.folder, '_data', name), '{"broken":');
  }
  assert.is(await world.links.report(), undefined);
  assert.is((await world.links.run()).broken.length, 1);
  assert.is((await world.links.report())?.broken.length, 1);
  assert.is(world.warnings.length, 2);
});

test('a document whose text takes for ever to read is left out and counted, and other documents are read', async () => {
  // Replaces the real thread: reads slugs, and never ends with one of them.
  const source = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ documents }) => {
      const all = JSON.parse(Buffer.from(documents).toString());
      while (all.some(({ slug }) => slug === 'slow'));
      if (all.some(({ slug }) => slug === 'fatal')) throw new Error('on purpose');
      parentPort.postMessage(all.map(({ slug }) => ({ collection: 'posts', slug, links: [], more: 0 })));
    });`;
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('/'); ${source}`)}`,
  );
  const extract = createExtract({ config: { collections: [], blocks: [] }, limitMs: 2500, script });
  const bodies = ['a', 'slow', 'fatal', 'b'].map((slug) => Buffer.from(JSON.stringify({ slug })));
  const { found, unread } = await extract.read(bodies);
  const more = await extract.read([bodies[3]!]);
  await extract.close();
  assert.equal([more.unread, more.found.length], [0, 1]);
  assert.is(unread, 2);
  assert.equal(
    found.map(({ slug }) => slug),
    ['a', 'b'],
  );
});

test.run();
