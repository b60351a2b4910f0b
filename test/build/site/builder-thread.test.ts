// A build in a thread of its own: the same site, and a thread that dies or is asked to end is an error of that build.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildApart } from '../../../src/build/site/builder-thread.ts';
import { PlanError } from '../../../src/build/site/plan/plan-error.ts';
import { makeBuildWorld } from './build-world.ts';

const CONFIG = {
  collections: [{ name: 'posts', urlPrefix: '/journal', fields: [{ name: 'title', type: 'text' as const }] }],
};

test('a thread builds what this process would build', async () => {
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

test('what is wrong with a site is reported as it is without a thread', async () => {
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

for (const [name, code] of [
  ['dies', 'process.exit(3)'],
  ['fails', 'throw new Error("bug")'],
  ['runs out of memory', 'const all = []; for (;;) all.push({ all: [1] });'],
] as const) {
  test(`a thread that ${name} is an error of its build alone`, async () => {
    await using world = makeBuildWorld(CONFIG);
    const script = path.join(world.folder, 'worker.mjs');
    fs.writeFileSync(script, code);
    let failed = false;
    const { signal } = new AbortController();
    const limits = { maxOldGenerationSizeMb: 64 };
    await buildApart(world.order(), { log: () => undefined, signal }, { script: pathToFileURL(script), limits }).catch(
      () => {
        failed = true;
      },
    );
    assert.ok(failed);
  });
}

test('a thread that does not end when it is asked to is ended, and leaves nothing behind', async () => {
  await using world = makeBuildWorld(CONFIG);
  const staging = path.join(world.folder, 'dist', '.colophon-new');
  const script = path.join(world.folder, 'worker.mjs');
  fs.writeFileSync(
    script,
    `import fs from 'node:fs'; import { parentPort } from 'node:worker_threads';
    fs.mkdirSync(${JSON.stringify(staging)}, { recursive: true }); parentPort.postMessage({ log: 'begun' }); for (;;);`,
  );
  const ending = new AbortController();
  const reason = new Error('enough');
  const built = buildApart(
    world.order(),
    { log: () => ending.abort(reason), signal: ending.signal },
    { script: pathToFileURL(script), endMs: 50 },
  );
  assert.is(await built.catch((error: unknown) => error), reason);
  assert.not.ok(fs.existsSync(staging));
});

test.run();
