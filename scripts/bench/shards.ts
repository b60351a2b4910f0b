// Durable commits per second of a collection with `sharded: true` at the largest size, compared with its own rate at
// the smallest and with `git fast-import` on the same layout.
import { alternate, type Bench, barsAt } from './bench.ts';
import { createFastImport } from './fast-import.ts';
import { checkRepository, makePlace, removePlace } from './place.ts';
import { type BenchRow, toRow } from './table.ts';
import { startWriter, type Writer } from './writer.ts';

const WRITERS = 64;
const OWN_BAR = 0.7;
const FAST_IMPORT_BAR = 1.5;
const WARM_UP_SECONDS = 2;

export async function* shards(bench: Bench): AsyncGenerator<BenchRow> {
  const [few, many] = [bench.counts[0]!, bench.counts.at(-1)!];
  const small = await makePlace(bench, 'few', { count: few, sharded: true });
  const large = await makePlace(bench, 'many', { count: many, sharded: true });
  const fastImport = await createFastImport(bench, { count: many, sharded: true });
  bench.progress(`open ${many} documents`);
  const smallWriter = await startWriter(small);
  const largeWriter = await startWriter(large);
  try {
    const { seconds } = bench;
    const runOf = async (writer: Writer, forSeconds: number): Promise<number> => {
      const { rate } = await writer.run({ writers: WRITERS, seconds: forSeconds });
      writer.pause();
      return rate;
    };
    for (const writer of [smallWriter, largeWriter]) await runOf(writer, WARM_UP_SECONDS);
    const found = await alternate(bench, {
      large: () => runOf(largeWriter, seconds),
      small: () => runOf(smallWriter, seconds),
      'git fast-import': () => fastImport.run(seconds),
    });
    const figure = { figure: `durable commits, sharded, ${many} documents`, unit: '/s', values: found.large };
    yield toRow({
      ...figure,
      reference: `the same at ${few}`,
      references: found.small,
      bars: barsAt(many, { atLeast: OWN_BAR }),
    });
    yield toRow({
      ...figure,
      reference: 'git fast-import, same layout',
      references: found['git fast-import'],
      bars: barsAt(many, { atLeast: FAST_IMPORT_BAR }),
    });
  } finally {
    await Promise.all([smallWriter.kill(), largeWriter.kill()]);
  }
  bench.progress('git fsck');
  for (const place of [small, large]) {
    checkRepository(place);
    removePlace(place);
  }
}
