// Collections whose files are Markdown beside the same ones in JSON, in one process: writes, and a start that has nothing
// but the repository.
import fs from 'node:fs';
import path from 'node:path';
import { createCms } from '../../src/cms.ts';
import { alternate, type Bench } from './bench.ts';
import { type BenchDocuments, configOf, createDocuments } from './documents.ts';
import { type BenchRow, toRow } from './table.ts';

const FORMATS = ['json', 'markdown'] as const;
type Format = (typeof FORMATS)[number];

const DOCUMENTS = 10_000;
const UPDATES = 2000;
/** Requests that wait at the same time. */
const TOGETHER = 50;
const WRITE_BAR = 1.2;
const START_BAR = 2;

export async function* formats(bench: Bench): AsyncGenerator<BenchRow> {
  const folders = { json: '', markdown: '' };
  for (const format of FORMATS) {
    bench.progress(`make ${DOCUMENTS} documents as ${format}`);
    folders[format] = path.join(bench.folder, `formats-${format}`);
    await using cms = await open(folders[format], format);
    await inTurns(createDocuments(), DOCUMENTS, (slug, data) => cms.content.create('posts', { slug, data }));
  }
  const found = await alternate(bench, {
    'write JSON': () => measureWrites(folders.json, 'json'),
    'write Markdown': () => measureWrites(folders.markdown, 'markdown'),
    'start with JSON': () => measureStart(folders.json, 'json'),
    'start with Markdown': () => measureStart(folders.markdown, 'markdown'),
  });
  yield toRow({
    ...{ figure: `${UPDATES} updates of Markdown files`, unit: 's', values: found['write Markdown'] },
    ...{ reference: 'of JSON files', references: found['write JSON'], bars: [{ atMost: WRITE_BAR }] },
  });
  yield toRow({
    ...{ figure: `start from nothing, ${DOCUMENTS} Markdown files`, unit: 's', values: found['start with Markdown'] },
    ...{ reference: 'JSON files', references: found['start with JSON'], bars: [{ atMost: START_BAR }] },
  });
  for (const format of FORMATS) fs.rmSync(folders[format], { recursive: true });
}

async function open(dataDir: string, format: Format) {
  const config = configOf({ sharded: false });
  const cms = await createCms({ collections: config.collections.map((one) => ({ ...one, format })) }, { dataDir });
  return Object.assign(cms, { [Symbol.asyncDispose]: () => cms.close() });
}

async function inTurns(
  documents: BenchDocuments,
  count: number,
  write: (slug: string, data: ReturnType<BenchDocuments['data']>) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < count; from += TOGETHER) {
    const each = Array.from({ length: TOGETHER }, (_, i) => write(documents.slug(from + i), documents.data(from + i)));
    await Promise.all(each);
  }
}

/** Seconds. */
async function measureWrites(folder: string, format: Format): Promise<number> {
  await using cms = await open(folder, format);
  const documents = createDocuments(performance.now());
  const startMs = performance.now();
  await inTurns(documents, UPDATES, (slug, data) => cms.content.update('posts', slug, { data }));
  return (performance.now() - startMs) / 1000;
}

/** Seconds until documents are served. */
async function measureStart(folder: string, format: Format): Promise<number> {
  fs.rmSync(path.join(folder, 'sites', 'default', 'index'), { recursive: true, force: true });
  const startMs = performance.now();
  await using cms = await open(folder, format);
  const { total } = await cms.content.findMany('posts', { limit: 1 });
  if (total !== DOCUMENTS) throw new Error(`${total} documents after a start`);
  return (performance.now() - startMs) / 1000;
}
