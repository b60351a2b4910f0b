// Bytes of repository per update, while there are writers and after packs were merged, compared with the changed
// document, deflated; and the merged repository compared with a copy after `git gc --aggressive`.
import fs from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { type Cms, createCms } from '../../src/cms.ts';
import type { Bench } from './bench.ts';
import { configOf, createDocuments, createRandom } from './documents.ts';
import { checkRepository, git, makePlace, type Place, removePlace } from './place.ts';
import { type BenchRow, toRow } from './table.ts';

const PER_UPDATE_BAR = 3;
const GIT_BAR = 1.5;
const MAX_DOCUMENTS = 10_000;
/**
 * Git compares each tree with 250 others: 100,000 trees of a thousand documents take it minutes, 10,000 of ten thousand
 * an hour. In updates times documents squared.
 */
const GIT_WORK = 200_000_000_000;
const UPDATES_PER_SECOND = 1000;
const WRITERS = 64;
/** The fields of the data that are changed: a word or two of the document, and most of it. */
const FIELDS = ['title', 'body'] as const;

export async function* size(bench: Bench): AsyncGenerator<BenchRow> {
  for (const count of bench.counts.filter((documents) => documents <= MAX_DOCUMENTS)) {
    for (const field of FIELDS) {
      const place = await makePlace(bench, `size-${field}`, { count, sharded: false });
      const updates = bench.seconds * UPDATES_PER_SECOND;
      const what = `${field} changed, ${count} documents`;
      const before = sizeOf(place);
      bench.progress(`${updates} updates, ${what}`);
      await update(place, field, updates);
      const written = sizeOf(place);
      await merge(place);
      checkRepository(place);
      const merged = sizeOf(place);
      const documents = createDocuments();
      const deflated = Array.from({ length: 100 }, (_, i) => deflateSync(documents.file(i)).length);
      const note = `${updates} updates`;
      for (const [figure, bytes] of [
        ['repository per update', written - before],
        ['the same, packs merged', merged - before],
      ] as const) {
        yield toRow({
          figure: `${figure}, ${what}`,
          unit: 'bytes',
          values: [bytes / updates],
          reference: 'the document, deflated',
          references: deflated,
          bars: [{ atMost: PER_UPDATE_BAR }],
          note,
        });
      }
      if (updates * count ** 2 <= GIT_WORK) {
        bench.progress(`git gc --aggressive, ${what}`);
        const references = [sizeByGit(bench, place)];
        yield toRow({
          figure: `repository, ${what}`,
          unit: 'bytes',
          values: [merged],
          reference: 'git gc --aggressive',
          references,
          bars: [{ atMost: GIT_BAR }],
          note,
        });
      }
      removePlace(place);
    }
  }
}

async function update(place: Place, field: (typeof FIELDS)[number], updates: number): Promise<void> {
  const cms = await createCms(configOf(place), { dataDir: place.dataDir });
  const documents = createDocuments(2);
  const random = createRandom(3);
  const ids = Array.from({ length: place.count }, (_, i) => cms.site.view.bySlug('posts', documents.slug(i))!.id);
  let done = 0;
  const write = async (): Promise<void> => {
    while (done++ < updates) {
      const id = ids[Math.floor(random() * ids.length)]!;
      await cms.content.update('posts', id, { data: { [field]: documents.data(done)[field] } });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await cms.close();
}

/**
 * Waits until there is nothing left to merge. The first look only finds how much there is, which may still be growing.
 */
async function merge(place: Place): Promise<void> {
  const cms: Cms = await createCms(configOf(place), { dataDir: place.dataDir });
  await cms.site.store.maintenance.look();
  for (let before = -1; before !== packsOf(place).length; ) {
    before = packsOf(place).length;
    await cms.site.store.maintenance.look();
  }
  await cms.close();
}

const packFolder = ({ repository }: Place): string => path.join(repository, 'objects', 'pack');

function packsOf(place: Place): string[] {
  return fs.readdirSync(packFolder(place)).filter((file) => file.endsWith('.pack'));
}

/** Packs and their indexes. */
function sizeOf(place: Place): number {
  const files = fs.readdirSync(packFolder(place)).filter((file) => /\.(pack|idx)$/.test(file));
  return files.reduce((sum, file) => sum + fs.statSync(path.join(packFolder(place), file)).size, 0);
}

function sizeByGit(bench: Bench, place: Place): number {
  const copy: Place = { ...place, repository: path.join(bench.folder, 'gc.git') };
  fs.cpSync(place.repository, copy.repository, { recursive: true });
  git(copy.repository, ['gc', '--quiet', '--aggressive', '--prune=now']);
  const bytes = sizeOf(copy);
  fs.rmSync(copy.repository, { recursive: true });
  return bytes;
}
