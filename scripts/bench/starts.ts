// From the start of the process to the ready line, from the repository alone and from saved views, compared with `git
// cat-file --batch` reading the same blobs.
import fs from 'node:fs';
import { alternate, type Bench, barsAt } from './bench.ts';
import { git, makePlace, type Place, removePlace } from './place.ts';
import { startService } from './service.ts';
import { type BenchRow, toRow } from './table.ts';

const NOTHING_BAR = 1;
const SNAPSHOT_BAR = 0.2;

export async function* starts(bench: Bench): AsyncGenerator<BenchRow> {
  const count = bench.counts.at(-1)!;
  const place = await makePlace(bench, 'starts', { count, sharded: false });
  const index = place.indexFolder;
  const aside = `${index}.aside`;
  const measure = async (): Promise<number> => {
    const service = await startService(place);
    await service.kill();
    return service.startedSeconds;
  };
  const found = await alternate(bench, {
    async 'start from nothing'() {
      fs.renameSync(index, aside);
      try {
        return await measure();
      } finally {
        fs.rmSync(index, { recursive: true, force: true });
        fs.renameSync(aside, index);
      }
    },
    'git cat-file': () => measureCatFile(place),
    'start from saved views': measure,
  });
  const reference = { unit: 's', reference: 'git cat-file --batch', references: found['git cat-file'] };
  yield toRow({
    figure: `start from saved views, ${count} documents`,
    values: found['start from saved views'],
    ...reference,
    bars: barsAt(count, { atMost: SNAPSHOT_BAR }),
  });
  yield toRow({
    figure: `start from nothing, ${count} documents`,
    values: found['start from nothing'],
    ...reference,
    bars: barsAt(count, { atMost: NOTHING_BAR }),
    note: 'lists and documents are served; the search index is filled afterwards',
  });
  removePlace(place);
}

/** Seconds. Names come in the order of the tree, and the content goes through a pipe, as in any use of it. */
function measureCatFile({ repository }: Place): number {
  const names = Buffer.from(git(repository, ['ls-tree', '-r', '--format=%(objectname)', 'main']));
  const started = performance.now();
  git(repository, ['cat-file', '--batch'], names);
  return (performance.now() - started) / 1000;
}
