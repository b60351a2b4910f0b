// A site of 10,000 files that is live already, planned by each host's client: what most automatic deploys cost. The
// reference is reading and hashing the same files, which a client without a cache would do.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HOSTS } from '../../test/support/hosts/all.ts';
import { makeDeployBench, runDeploy } from '../../test/support/publication.ts';
import { alternate, type Bench } from './bench.ts';
import { type BenchRow, toRow } from './table.ts';

const FILES = 10_000;
/** The recorders look at every content; so many are enough for them. */
const CONTENTS = 200;
const BAR_S = 3;

export async function* unchangedDeploys(bench: Bench): AsyncGenerator<BenchRow> {
  for (const { provider, start } of HOSTS) {
    if (!provider.needsBuild) continue;
    bench.progress(`publish ${FILES} files to ${provider.label}`);
    await using deploys = await makeDeployBench();
    await using host = await start();
    const texts = Array.from(
      { length: FILES },
      (_, i) => [`${i % 100}/${i}/index.html`, `<p>${i % CONTENTS}`] as const,
    );
    const publication = await deploys.publication(Object.fromEntries(texts));
    const context = () => deploys.context({ deployProvider: provider.name, ...host.settings }, host.parts ?? {});
    await runDeploy(provider, publication, context());
    host.received.length = 0;
    const measured = await alternate(bench, {
      plan: () => secondsOf(() => provider.plan(publication, context())),
      hash: () =>
        secondsOf(async () => {
          for (const { file } of publication.files)
            createHash('sha1')
              .update(await readFile(file))
              .digest('hex');
        }),
    });
    if (host.received.length > 0) throw new Error(`${provider.label} was sent ${host.received.length} unchanged files`);
    yield toRow({
      figure: `deploy of ${FILES} unchanged files to ${provider.label}, planned`,
      unit: 's',
      values: measured.plan,
      reference: 'reading and hashing them',
      references: measured.hash,
      bars: [{ of: 'figure', atMost: BAR_S }],
    });
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
