// The benchmarks: `npm run bench` prints one table and writes bench.json; every figure stands beside a reference that
// was measured in the same run. `npm run bench -- --documents 1000,10000 --seconds 5 writes reads search`.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { benchReads } from './bench/reads.ts';
import { searchBench } from './bench/search.ts';
import { type BenchRow, printRow } from './bench/table.ts';
import { benchWrites } from './bench/writes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: 'string', default: '1000,10000' },
    seconds: { type: 'string', default: '5' },
  },
});
const counts = values.documents.split(',').map(Number);
const seconds = Number(values.seconds);
const wants = (part: string): boolean => positionals.length === 0 || positionals.includes(part);

// Not in a memory file system: its fsync costs nothing.
const folder = fs.mkdtempSync(path.join(path.resolve('.'), '.bench-'));
const rows: BenchRow[] = [];
const add = (more: BenchRow[]): void => {
  for (const row of more) printRow(row);
  rows.push(...more);
};
try {
  for (const count of counts) {
    if (wants('writes')) add(await benchWrites(folder, count, seconds));
    if (wants('reads')) add(await benchReads(folder, count, seconds));
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
const machine = { cpus: os.cpus().length, model: os.cpus()[0]?.model, node: process.version };
fs.writeFileSync('bench.json', `${JSON.stringify({ at: new Date().toISOString(), machine, rows }, null, 2)}\n`);
if (wants('search')) await searchBench(Math.max(...counts));
