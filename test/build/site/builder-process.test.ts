// A build in a process of its own: the same site, and a process that dies or is asked to end is an error of that build.
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BuildError } from '../../../src/build/build.ts';
import { buildApart } from '../../../src/build/site/builder-process.ts';
import { PlanError } from '../../../src/build/site/plan/plan-error.ts';
import { makeBuildWorld } from './build-world.ts';

const CONFIG = {
  collections: [{ name: 'posts', urlPrefix: '/journal', fields: [{ name: 'title', type: 'text' as const }] }],
};

test('another process builds what this one would build', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put({ slug: 'hello' });
  const commit = world.commit();
  const log: string[] = [];
  const calls = { log: (text: string) => void log.push(text), signal: new AbortController().signal };
  const built = await buildApart(world.order(), calls);
  assert.is(built.commit, commit);
  assert.match(world.read('journal/hello/index.html')!, '<h1>hello</h1>');
  const again = await buildApart(world.order({ isFull: true }), calls);
  assert.equal(again, built);
});

test('what is wrong with a site is reported as it is in this process', async () => {
  await using world = makeBuildWorld(CONFIG);
  const signal = new AbortController().signal;
  try {
    await buildApart(world.order(), { log: () => undefined, signal });
    assert.unreachable();
  } catch (error) {
    assert.ok(error instanceof PlanError);
    assert.is(error.problems.length, 1);
  }
});

for (const [name, isForPeople, code, why] of [
  ['dies', false, 'process.exit(3)', /ended before the site was built \(exit 3\)/],
  ['fails', false, 'throw new Error("bug")', /ended before the site was built \(exit 1\).*Error: bug/s],
  ['is killed', true, 'process.kill(process.pid, "SIGKILL")', /was killed/],
  ['runs out of memory', true, 'const all = []; for (;;) all.push({ all: [1] });', /needs more than 64 MB of memory/],
] as const) {
  test(`a process that ${name} is an error of its build alone`, async () => {
    await using world = makeBuildWorld(CONFIG);
    const script = path.join(world.folder, 'child.mjs');
    fs.writeFileSync(script, code);
    const { signal } = new AbortController();
    const options = { script: pathToFileURL(script), memoryMb: 64 };
    const built = buildApart(world.order(), { log: () => undefined, signal }, options);
    const error = await built.catch((thrown: unknown) => thrown);
    assert.is(error instanceof BuildError, isForPeople);
    assert.match((error as Error).message, why);
  });
}

/** Stages something, says so and is then busy for ever. */
const toStuck = (staging: string): string => `
  import fs from 'node:fs';
  process.on('SIGTERM', () => undefined);
  fs.mkdirSync(${JSON.stringify(staging)}, { recursive: true });
  process.send({ log: String(process.pid) }, () => { for (;;); });
`;

test('a process that does not end when it is asked to is ended, and leaves nothing behind', async () => {
  await using world = makeBuildWorld(CONFIG);
  const staging = path.join(world.folder, 'dist', '.colophon-new');
  const script = path.join(world.folder, 'child.mjs');
  fs.writeFileSync(script, toStuck(staging));
  const ending = new AbortController();
  const reason = new Error('enough');
  let pid = 0;
  const log = (text: string): void => {
    pid = Number(text);
    ending.abort(reason);
  };
  const options = { script: pathToFileURL(script), endMs: 50 };
  const built = buildApart(world.order(), { log, signal: ending.signal }, options);
  assert.is(await built.catch((error: unknown) => error), reason);
  assert.not.ok(fs.existsSync(staging));
  assert.throws(() => process.kill(pid, 0), /ESRCH/);
});

test('the engine knows the setting of short processes', () => {
  const script = new URL('../../../src/build/site/run-briefly.ts', import.meta.url);
  const call = `(await import(${JSON.stringify(script)})).runBriefly()`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', call], { encoding: 'utf8' });
  // V8 prints what it does not know.
  assert.equal([status, stderr], [0, '']);
});

test('a build does not outlive the service that asked for it', async () => {
  const child = fork(new URL('../../../src/build/site/builder-child.ts', import.meta.url), { env: {} });
  await once(child, 'spawn');
  child.disconnect();
  const [code] = await once(child, 'exit');
  assert.is(code, 1);
});

test.run();
