import { spawnSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ARGS, leanArgs } from '../../src/cli/lean.ts';

const LEAN = new URL('../../src/cli/lean.ts', import.meta.url).href;
/** Between the 4 MB that the thread is started with and the 32 MB that the main thread's setting would give. */
const BAR_BYTES = 8e6;

/** Runs a thread that makes garbage, and returns how large the space for its young objects becomes. */
const THREAD = `
  import { parentPort } from 'node:worker_threads';
  import { getHeapSpaceStatistics } from 'node:v8';
  let kept = [];
  let bytes = 0;
  for (let i = 0; i < 1_000_000; i++) {
    kept.push({ i });
    if (kept.length > 200_000) kept = [];
    if (i % 50_000 === 0) {
      bytes = Math.max(bytes, getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size);
    }
  }
  parentPort.postMessage(bytes);`;

function youngBytes(first: string): number {
  const script = `
    import { Worker } from 'node:worker_threads';
    ${first}
    const worker = new Worker(${JSON.stringify(THREAD)}, { eval: true, resourceLimits: { maxYoungGenerationSizeMb: 4 } });
    worker.on('message', (bytes) => console.log(bytes));`;
  const args = [ARGS[0]!, '--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.ok(Number(stdout) > 0, stderr);
  return Number(stdout);
}

test('a thread has the memory for young objects that it was started with, not the main thread’s', () => {
  assert.ok(youngBytes('') > BAR_BYTES, 'without it, it has the main thread’s');
  assert.ok(youngBytes(`(await import(${JSON.stringify(LEAN)})).leaveThreadsTheirs();`) < BAR_BYTES);
});

/** The arguments that a process with these options would be started again with. */
function argsOf(options: string[]): string[] {
  const script = `
    const { leanArgs } = await import(${JSON.stringify(LEAN)});
    console.log(JSON.stringify(leanArgs({})));`;
  const args = [...options, '--input-type=module', '-e', script];
  return JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
}

test('a signal opens no debugger, whatever the operator set for the memory', () => {
  const closed = '--disable-sigusr1';
  assert.equal(leanArgs({}), [...ARGS, closed]);
  for (const own of ['--expose-gc', '--max-semi-space-size=32', '--min-semi-space-size=8']) {
    assert.equal(leanArgs({ NODE_OPTIONS: own }), [closed], own);
    // Otherwise the process would start itself for ever.
    assert.equal(leanArgs({ NODE_OPTIONS: `${own} ${closed}` }), [], own);
  }
  assert.equal(argsOf(['--expose-gc']), [closed]);
  assert.equal(argsOf([...ARGS, closed]), []);
  assert.equal(argsOf([closed]), ARGS);
});

test.run();
