import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { openPrivateFile } from '../../src/data/private-file.ts';

const schema = z.object({ version: z.literal(1), names: z.array(z.string()) });
type Names = z.output<typeof schema>;
const empty: Names = { version: 1, names: [] };

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'private-'));
  const path = join(folder, 'names.json');
  const logged: string[] = [];
  return {
    folder,
    path,
    logged,
    open: () => openPrivateFile({ path, schema, empty, logger: { info: (_, message) => void logged.push(message) } }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function add(name: string) {
  return (value: Names): [Names, string] => [{ ...value, names: [...value.names, name] }, name];
}

test('a written value is there after a restart, readable by its owner only, with no other file next to it', async () => {
  using world = makeFolder();
  await world.open().update(add('a'));
  assert.equal(world.open().read(), { version: 1, names: ['a'] });
  assert.is(statSync(world.path).mode & 0o777, 0o600);
  assert.equal(readdirSync(world.folder), ['names.json']);
});

test('once another process has the folder, nothing is written, and the old value is still read', async () => {
  using world = makeFolder();
  await world.open().update(add('theirs'));
  let why: string | undefined;
  const logger = { info: () => undefined };
  const file = openPrivateFile({ path: world.path, schema, empty, logger, lost: () => why });
  why = 'the lock is gone';
  const before = readFileSync(world.path, 'utf8');
  const refused = await file.update(add('ours')).catch((error) => error);
  assert.is(refused.code, 'unavailable');
  assert.is(readFileSync(world.path, 'utf8'), before);
  assert.equal(readdirSync(world.folder), ['names.json']);
  assert.equal(file.read().names, ['theirs']);
});

test('parallel updates lose nothing', async () => {
  using world = makeFolder();
  const file = world.open();
  await Promise.all(Array.from({ length: 30 }, (_, index) => file.update(add(`n${index}`))));
  assert.is(world.open().read().names.length, 30);
});

test("two openings of the file (the service and the command line) lose none of each other's changes", async () => {
  using world = makeFolder();
  const [one, two] = [world.open(), world.open()];
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => [one.update(add(`a${index}`)), two.update(add(`b${index}`))]).flat(),
  );
  assert.is(new Set(world.open().read().names).size, 20);
});

test('a refused update leaves the file as it was and the next one goes through', async () => {
  using world = makeFolder();
  const file = world.open();
  await file.update(add('a'));
  const before = readFileSync(world.path, 'utf8');
  const refused = file.update(() => {
    throw new Error('no');
  });
  const next = file.update(add('b'));
  assert.is(await refused.catch((error) => error.message), 'no');
  assert.is(await next, 'b');
  assert.is(before.includes('"b"'), false);
  assert.equal(file.read().names, ['a', 'b']);
});

test('an update that changes nothing writes nothing', async () => {
  using world = makeFolder();
  const file = world.open();
  assert.is(await file.update((value) => [value, 7] as const), 7);
  assert.equal(readdirSync(world.folder), []);
});

test('half a temporary file of a crash is ignored and replaced', async () => {
  using world = makeFolder();
  await world.open().update(add('a'));
  writeFileSync(`${world.path}.tmp`, '{"version":1,"na', { mode: 0o644 });
  const file = world.open();
  assert.equal(file.read().names, ['a']);
  await file.update(add('b'));
  assert.equal(world.open().read().names, ['a', 'b']);
  assert.is(statSync(world.path).mode & 0o777, 0o600);
  assert.equal(readdirSync(world.folder), ['names.json']);
});

test('a writer killed at any moment leaves a whole file with everything that was acknowledged', async () => {
  using world = makeFolder();
  const script = `
    import { z } from 'zod';
    import { openPrivateFile } from '${import.meta.resolve('../../src/data/private-file.ts')}';
    const schema = z.object({ version: z.literal(1), names: z.array(z.string()) });
    const file = openPrivateFile({ path: process.argv[1], schema, empty: { version: 1, names: [] }, log: { info() {} } });
    for (let n = 1; ; n++) {
      await file.update((value) => [{ ...value, names: [...value.names, String(n).repeat(500)] }, 0]);
      process.stdout.write(n + '\\n');
    }`;
  for (const killAt of [1, 7, 20]) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, world.path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const before = world.open().read().names.length;
    let reported = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      reported = Number(String(chunk).trim().split('\n').at(-1));
      if (reported >= killAt) child.kill('SIGKILL');
    });
    await new Promise((done) => child.on('close', done));
    assert.ok(reported >= killAt);
    assert.ok(world.open().read().names.length >= before + reported);
  }
});

test('the lock of a process that is gone holds up no one', async () => {
  using world = makeFolder();
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((done) => child.on('close', done));
  writeFileSync(`${world.path}.lock`, String(child.pid));
  await world.open().update(add('a'));
  assert.equal(readdirSync(world.folder), ['names.json']);
});

test('a lock with our own process id from before our start is a predecessor’s', async () => {
  using world = makeFolder();
  writeFileSync(`${world.path}.lock`, String(process.pid));
  utimesSync(`${world.path}.lock`, new Date(Date.now() - 30_000), new Date(Date.now() - 30_000));
  await world.open().update(add('a'));
  assert.equal(readdirSync(world.folder), ['names.json']);
});

for (const [kind, text] of [
  ['torn', '{"version":1,"names":["a"'],
  ['empty', ''],
  ['of another version', '{"version":2,"names":[]}'],
  ['of another shape', '{"version":1,"names":[1]}'],
] as const) {
  test(`a file that is ${kind} is an error that names it, and stays untouched`, () => {
    using world = makeFolder();
    writeFileSync(world.path, text, { mode: 0o600 });
    assert.throws(world.open, (error: Error) => error.message.includes(world.path));
    assert.is(readFileSync(world.path, 'utf8'), text);
  });
}

test('a file that is broken under a running service is neither used nor overwritten', async () => {
  using world = makeFolder();
  const file = world.open();
  await file.update(add('a'));
  writeFileSync(world.path, 'broken');
  const message = await file.update(add('b')).catch((error) => error.message);
  assert.ok(message.includes(world.path));
  assert.equal(file.read().names, ['a']);
  assert.is(readFileSync(world.path, 'utf8'), 'broken');
});

test('a file of a newer version refuses the start with its version, and stays as it is', () => {
  using world = makeFolder();
  const text = '{"version":2,"people":[]}';
  writeFileSync(world.path, text);
  assert.throws(
    world.open,
    `file "${world.path}" has version 2, which this Colophon does not read: start the newer one that wrote it`,
  );
  assert.is(readFileSync(world.path, 'utf8'), text);
});

test('a file that others could read is closed to them at start', async () => {
  using world = makeFolder();
  await world.open().update(add('a'));
  chmodSync(world.path, 0o644);
  assert.equal(world.open().read().names, ['a']);
  assert.is(statSync(world.path).mode & 0o777, 0o600);
  assert.is(world.logged.length, 1);
});

test.run();
