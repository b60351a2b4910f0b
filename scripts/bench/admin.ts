// The admin in a browser whose processor is slowed down four times: what it weighs, when a person can begin, and how
// long a key, a jump and a save take. The reference is a fixed loop in the same page, which shows how fast the machine
// is just then.
import fs from 'node:fs';
import path from 'node:path';
import { BUDGETS } from '../../src/admin-files/budgets.ts';
import { buildAdmin } from '../../src/admin-files/build.ts';
import { openBrowser, type TestBrowser } from '../../test/support/browser.ts';
import { BrowserFigures, openThrottled } from './admin-browser.ts';
import { type Bench, barsAt } from './bench.ts';
import { makePlace, removePlace } from './place.ts';
import { ACCOUNT, startService } from './service.ts';
import { type Bar, type BenchRow, toRow } from './table.ts';

const KB = 1000;
const FIELDS = 200;
const WORDS = 10_000;
const KEYS = 60;
const JUMPS = 20;
const SAVES = 15;
const LOOP = 'a fixed loop in that page';
/** What the clocks in the page look for. */
const SIGN_IN = 'button[type="submit"]';
const CARD = 'main section';
const ROW = '[role="grid"] a';
const TITLE = '[id="field-data.title"]';
const BODY = '[role="textbox"][aria-label="body"]';

export async function* admin(bench: Bench): AsyncGenerator<BenchRow> {
  yield* weigh(bench);
  await using browser = await openBrowser();
  yield* measureList(bench, browser);
  yield* measureEditor(bench, browser);
}

async function* weigh(bench: Bench): AsyncGenerator<BenchRow> {
  bench.progress('build the admin');
  const { budgets } = await buildAdmin(path.resolve('src/admin'), path.join(bench.folder, 'admin'));
  for (const { name, maxBytes } of BUDGETS) {
    yield toRow({
      ...{ figure: `admin, ${name}, gzip`, unit: 'KB', values: [budgets[name]! / KB] },
      ...{ reference: 'its budget', references: [maxBytes / KB], bars: [{ atMost: 1 }] },
    });
  }
}

function toTimeRow(figure: string, figures: BrowserFigures, bars: readonly Bar[]): BenchRow {
  const { values, loops } = figures;
  return toRow({ figure, unit: 'ms', values, reference: LOOP, references: loops, bars });
}

const atMost = (ms: number): Bar => ({ of: 'figure', atMost: ms });

async function* measureList(bench: Bench, browser: TestBrowser): AsyncGenerator<BenchRow> {
  const count = bench.counts.at(-1)!;
  const place = await makePlace(bench, 'admin', { count, sharded: false });
  const service = await startService(place);
  try {
    const login = new BrowserFigures();
    const dashboard = new BrowserFigures();
    const rows = new BrowserFigures();
    for (let run = 0; run < bench.repeats; run++) {
      bench.progress(`open sign-in, dashboard and list, run ${run + 1} of ${bench.repeats}`);
      await using opened = await openThrottled(browser, service.url);
      const time = async (figures: BrowserFigures, address: string, part: string): Promise<void> => {
        const [usableMs = 0] = await opened.usable(address, part);
        figures.add(usableMs, await opened.loop());
      };
      await time(login, '/admin/login', SIGN_IN);
      await opened.signIn(ACCOUNT);
      await time(dashboard, '/admin', CARD);
      await time(rows, '/admin/content/posts', ROW);
    }
    yield toTimeRow('admin, sign-in usable', login, [atMost(800)]);
    yield toTimeRow('admin, dashboard usable', dashboard, [atMost(800)]);
    yield toTimeRow(`admin, first rows of ${count}`, rows, barsAt(count, atMost(1000)));

    await using opened = await openThrottled(browser, service.url);
    await opened.signIn(ACCOUNT);
    await opened.usable('/admin/content/posts', ROW);
    bench.progress('jump through the list');
    const jumps = new BrowserFigures();
    for (let at = 0; at < JUMPS; at++) {
      jumps.add(await opened.jump(((at * 7919) % JUMPS) / JUMPS), await opened.loop());
    }
    yield toTimeRow(`admin, a jump in a list of ${count}, median`, jumps, barsAt(count, atMost(250)));
    const { nodes, heapBytes } = await opened.size();
    yield toRow({
      ...{ figure: `admin, nodes of a list of ${count}`, unit: 'nodes', values: [nodes] },
      ...{ reference: 'as many as it may have', references: [2500], bars: [{ atMost: 1 }] },
    });
    yield toRow({
      ...{ figure: 'admin, heap after the jumps', unit: 'MB', values: [heapBytes / 1e6] },
      ...{ reference: 'as much as it may take', references: [40], bars: [{ atMost: 1 }] },
    });
  } finally {
    await service.kill();
    removePlace(place);
  }
}

async function* measureEditor(bench: Bench, browser: TestBrowser): AsyncGenerator<BenchRow> {
  const folder = path.join(bench.folder, 'admin-editor');
  fs.mkdirSync(folder, { recursive: true });
  const configPath = path.join(folder, 'cms.config.json');
  fs.writeFileSync(configPath, JSON.stringify(EDITOR_CONFIG));
  const service = await startService({ dataDir: path.join(folder, 'data'), configPath });
  try {
    await plantTexts(service);
    const fields = new BrowserFigures();
    const richText = new BrowserFigures();
    for (let run = 0; run < bench.repeats; run++) {
      bench.progress(`open a document, run ${run + 1} of ${bench.repeats}`);
      await using opened = await openThrottled(browser, service.url);
      await opened.signIn(ACCOUNT);
      const [toFields = 0, toText = 0] = await opened.usable('/admin/content/texts/short', TITLE, BODY);
      const loop = await opened.loop();
      fields.add(toFields, loop);
      richText.add(toText, loop);
    }
    yield toTimeRow('admin, fields of a document', fields, [atMost(1200)]);
    yield toTimeRow('admin, rich text to type in', richText, [atMost(2000)]);
    yield* measureKeys(bench, browser, service.url);
  } finally {
    await service.kill();
    fs.rmSync(folder, { recursive: true });
  }
}

async function* measureKeys(bench: Bench, browser: TestBrowser, url: string): AsyncGenerator<BenchRow> {
  await using opened = await openThrottled(browser, url);
  await opened.signIn(ACCOUNT);
  const { page } = opened;
  bench.progress('type');
  const field = await opened.settled('/admin/content/wide/one', '[id="field-data.f100"]');
  await field.click();
  yield toTimeRow(`admin, key to frame, a field of ${FIELDS}, p95`, await opened.type(KEYS), [atMost(50)]);

  const saves = new BrowserFigures();
  for (let at = 0; at < SAVES; at++) {
    await page.keyboard.type('x');
    saves.add(await opened.timeSave(), await opened.loop());
  }
  yield toTimeRow('admin, save of a field, key to "saved", median', saves, [atMost(150)]);

  const body = await opened.settled('/admin/content/texts/long', BODY);
  await body.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  yield toTimeRow(`admin, key to frame, ${WORDS} words of rich text, p95`, await opened.type(KEYS), [atMost(100)]);
}

const EDITOR_CONFIG = {
  collections: [
    {
      name: 'texts',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'body', type: 'richtext' },
      ],
    },
    {
      name: 'wide',
      fields: Array.from({ length: FIELDS }, (_, at) => ({ name: `f${at}`, label: `field ${at}`, type: 'text' })),
    },
  ],
};

async function plantTexts({ url, headers }: { url: string; headers: Record<string, string> }): Promise<void> {
  const paragraphs = (words: number): string =>
    Array.from(
      { length: words / 50 },
      (_, at) => `Paragraph ${at} has words. ${'Some of them are *set* apart. '.repeat(8)}`,
    ).join('\n\n');
  const documents = [
    ['texts', { slug: 'short', data: { title: 'Short', body: paragraphs(500) } }],
    ['texts', { slug: 'long', data: { title: 'Long', body: paragraphs(WORDS) } }],
    ['wide', { slug: 'one', data: { f0: 'x' } }],
  ] as const;
  for (const [collection, document] of documents) {
    const answer = await fetch(`${url}/api/cms/${collection}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(document),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
}
