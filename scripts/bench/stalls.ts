// The longest time for which one request, or many, keeps everyone else waiting: a separate process asks for /healthz
// during each of the requests in stall-requests.ts and stall-strangers.ts, and on an idle service.
import fs from 'node:fs';
import path from 'node:path';
import type { Bench } from './bench.ts';
import { configOf } from './documents.ts';
import { makePlace, removePlace } from './place.ts';
import { startService } from './service.ts';
import { externalCommits } from './stall-external.ts';
import type { Held } from './stall-loop.ts';
import { startProbe } from './stall-probe.ts';
import { requests } from './stall-requests.ts';
import { strangers } from './stall-strangers.ts';
import { type BenchRow, toRow } from './table.ts';

/** decisions.md, section 12. */
const BAR_MS = { stranger: 50, editor: 250, reader: 50 };
const IDLE_MS = 1500;
/** The follow-up work of a request (a commit, an index, a thread) is over by then, and does not count for the next. */
const SETTLE_MS = 300;

export async function* stalls(bench: Bench): AsyncGenerator<BenchRow> {
  const count = bench.counts.at(-1)!;
  const place = await makePlace(bench, 'stalls', { count, sharded: false });
  const configPath = path.join(bench.folder, 'stalls.config.json');
  const { collections } = configOf({ sharded: false });
  const fields = ['name', 'message'].map((name) => ({ name, label: name, type: 'text' }));
  const open = collections.map((collection) => ({ ...collection, access: { read: 'public' } }));
  fs.writeFileSync(configPath, JSON.stringify({ collections: open, forms: [{ name: 'contact', fields }] }));
  bench.progress(`open ${count} documents`);
  const load = path.resolve('scripts/bench/stall-loop.ts');
  const service = await startService({ dataDir: place.dataDir, configPath }, { load });
  const probe = await startProbe(service.url);
  const only = process.env.STALLS;
  const repository = path.join(place.dataDir, 'sites', 'default', 'content.git');
  try {
    const measure = async (run: () => Promise<unknown>): Promise<{ probeMs: number; held: Held; note: string }> => {
      await new Promise((settled) => setTimeout(settled, SETTLE_MS));
      await probe.longestMs();
      await service.ask<Held>('held');
      const note = toNote(await run());
      const held = await service.ask<Held>('held');
      return { probeMs: await probe.longestMs(), held, note };
    };
    await measure(() => new Promise((done) => setTimeout(done, IDLE_MS)));
    const idle: number[] = [];
    for (let i = 0; i < 3; i++) {
      bench.progress('nothing');
      idle.push((await measure(() => new Promise((done) => setTimeout(done, IDLE_MS)))).probeMs);
    }
    const target = { ...service, count, isQuick: bench.repeats === 1 };
    const rows = [
      ...requests(target),
      ...strangers({ ...target, repository, folder: bench.folder }),
      ...externalCommits({ ...target, repository }),
    ];
    for (const { name, by, prepare, run } of rows) {
      if (only && !new RegExp(only).test(name)) continue;
      bench.progress(`prepare: ${name}`);
      await prepare?.();
      bench.progress(name);
      const { probeMs, held, note } = await measure(run);
      const loop = `event loop held ${held.wallMs.toFixed(0)} ms, at work for ${held.workedMs.toFixed(0)} ms of it`;
      yield toRow({
        figure: name,
        unit: 'ms',
        values: [probeMs],
        reference: 'GET /healthz, idle service',
        references: idle,
        bars: [{ of: 'figure', atMost: BAR_MS[by] }],
        note: note ? `${loop}; ${note}` : loop,
      });
      if (only) console.log(`    ${loop}; ${note}`);
    }
  } finally {
    probe.kill();
    await service.kill();
  }
  removePlace(place);
}

/** How often each status came. */
function toNote(found: unknown): string {
  if (!Array.isArray(found)) return String(found ?? '');
  const counts = Object.groupBy(found, String);
  return Object.entries(counts)
    .map(([status, all = []]) => `${all.length} x ${status}`)
    .join(', ');
}
