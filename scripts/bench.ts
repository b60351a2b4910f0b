// The benchmarks: `npm run bench` prints one table and writes bench.json; every figure is next to a reference that was
// measured in the same run. The whole run needs some 20 minutes, `npm run bench -- --quick` three; named parts run
// alone: `npm run bench -- --documents 1000,10000 --seconds 5 writes reads search`.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { acknowledgements } from './bench/acknowledgements.ts';
import { admin } from './bench/admin.ts';
import type { Bench, BenchPart } from './bench/bench.ts';
import { buildBeside } from './bench/build-beside.ts';
import { buildCommand } from './bench/build-command.ts';
import { builds } from './bench/builds.ts';
import { filters } from './bench/filters.ts';
import { formats } from './bench/formats.ts';
import { heap } from './bench/heap.ts';
import { lone } from './bench/lone.ts';
import { mcp } from './bench/mcp.ts';
import { memory } from './bench/memory.ts';
import { findSlowFiles } from './bench/new-files.ts';
import { operations } from './bench/operations.ts';
import { reads } from './bench/reads.ts';
import { search } from './bench/search.ts';
import { shards } from './bench/shards.ts';
import { size } from './bench/size.ts';
import { stalls } from './bench/stalls.ts';
import { starts } from './bench/starts.ts';
import { sync } from './bench/sync.ts';
import { type BenchRow, printHead, printRow } from './bench/table.ts';
import { unchangedDeploys } from './bench/unchanged-deploys.ts';
import { writes } from './bench/writes.ts';

/** In the order of the table. */
const PARTS: Record<string, BenchPart> = {
  writes,
  shards,
  acknowledgements,
  reads,
  operations,
  stalls,
  starts,
  search,
  filters,
  formats,
  mcp,
  heap,
  memory,
  size,
  lone,
  'build-command': buildCommand,
  'build-beside': buildBeside,
  builds,
  deploys: unchangedDeploys,
  sync,
  admin,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    documents: { type: 'string' },
    seconds: { type: 'string' },
    repeats: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length) {
  console.error(`no such part: ${unknown.join(', ')} (the parts are ${Object.keys(PARTS).join(', ')})`);
  process.exit(1);
}

const isTty = process.stderr.isTTY === true;
const started = performance.now();
/** One line that is overwritten on a terminal; in a log file one line each. */
function progress(text: string): void {
  const elapsed = `${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s`;
  process.stderr.write(isTty ? `\r\x1b[K${elapsed}  ${text}` : `${elapsed}  ${text}\n`);
}

const bench: Bench = {
  // Not in a memory file system: its fsync costs nothing.
  folder: fs.mkdtempSync(path.join(path.resolve('.'), '.bench-')),
  counts: (values.documents ?? (values.quick ? '1000,10000' : '1000,10000,100000'))
    .split(',')
    .map(Number)
    .sort((a, b) => a - b),
  seconds: Number(values.seconds ?? (values.quick ? 2 : 10)),
  repeats: Number(values.repeats ?? (values.quick ? 1 : 3)),
  progress,
};
const rows: BenchRow[] = [];
const slowFiles = findSlowFiles(bench.folder);
try {
  printHead();
  for (const [name, part] of Object.entries(PARTS)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    for await (const row of part({ ...bench, progress: (text) => progress(`${name}: ${text}`) })) {
      if (isTty) process.stderr.write('\r\x1b[K');
      printRow(row);
      rows.push(row);
    }
  }
} finally {
  fs.rmSync(bench.folder, { recursive: true, force: true });
}
const { counts, seconds, repeats } = bench;
const settings = { counts, seconds, repeats, tookSeconds: Math.round((performance.now() - started) / 1000) };
const machine = { cpus: os.cpus().length, model: os.cpus()[0]?.model, node: process.version };
fs.writeFileSync(
  'bench.json',
  `${JSON.stringify({ at: new Date().toISOString(), machine, settings, rows }, null, 2)}\n`,
);
if (slowFiles) console.log(slowFiles);
const missed = rows.filter(({ met }) => met === false);
console.log(`${rows.length} figures, ${missed.length} below their bar; raw figures are in bench.json`);
