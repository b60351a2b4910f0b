// A saved file reads back as it was written, or not at all.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSavedFile, readSavedFile, writeSavedFile } from '../../../src/store/disk/saved-file.ts';
import { createRandom } from '../../support/random.ts';

const KEY = { commit: 'a'.repeat(40), version: '1:abc' };

function makeFolder(): Disposable & { folder: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-saved-'));
  return { folder, [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true }) };
}

function sections(): Record<string, Buffer[]> {
  return { rows: [Buffer.from('one'), Buffer.alloc(0), Buffer.from('two')], search: [Buffer.alloc(5000, 7)], none: [] };
}

test('sections are read back by name, for the same version only', async () => {
  using made = makeFolder();
  assert.is(readSavedFile(made.folder, KEY.version), undefined);
  await writeSavedFile(made.folder, KEY, sections());
  const read = readSavedFile(made.folder, KEY.version)!;
  assert.is(read.commit, KEY.commit);
  assert.equal([...read.sections.keys()], ['rows', 'search', 'none']);
  assert.is(read.sections.get('rows')?.toString(), 'onetwo');
  assert.ok(read.sections.get('search')?.equals(Buffer.alloc(5000, 7)));
  assert.is(readSavedFile(made.folder, 'another'), undefined);
  assert.equal(fs.readdirSync(made.folder), ['snapshot']);
});

test('a saved file with a changed byte or a missing part counts as missing', async () => {
  using made = makeFolder();
  await writeSavedFile(made.folder, KEY, sections());
  const file = path.join(made.folder, 'snapshot');
  const whole = fs.readFileSync(file);
  const random = createRandom(6);
  const places = [...Array(20).keys(), ...Array.from({ length: 300 }, (_, i) => whole.length - 1 - i)];
  for (const at of places) {
    const broken = Buffer.from(whole);
    broken[at]! ^= 1 << random.whole(0, 7);
    fs.writeFileSync(file, broken);
    assert.is(readSavedFile(made.folder, KEY.version), undefined, `byte ${at}`);
  }
  for (let length = 0; length < whole.length; length += 1 + random.whole(0, 100)) {
    fs.writeFileSync(file, whole.subarray(0, length));
    assert.is(readSavedFile(made.folder, KEY.version), undefined, `${length} bytes`);
  }
});

test('a section is read on demand, even from a removed file, and damage to one leaves the others', async () => {
  using made = makeFolder();
  await writeSavedFile(made.folder, KEY, sections());
  const file = path.join(made.folder, 'snapshot');
  const whole = fs.readFileSync(file);
  const open = openSavedFile(made.folder, KEY.version)!;
  fs.rmSync(made.folder, { recursive: true });
  assert.is(open.read('rows')?.toString(), 'onetwo');
  assert.is(open.read('none')?.length, 0);
  assert.is(open.read('other'), undefined);
  assert.is(open.readPart('rows', 2, 3).toString(), 'etw');
  assert.is(open.readPart('rows', 2, 300).toString(), 'etwo');
  assert.is(open.readPart('rows', 300, 3).length, 0);
  open.close();
  open.close();
  assert.is(open.readPart('rows', 2, 3).length, 0);

  fs.mkdirSync(made.folder);
  whole[9]! ^= 1;
  fs.writeFileSync(file, whole);
  const damaged = openSavedFile(made.folder, KEY.version)!;
  assert.is(damaged.read('rows'), undefined);
  assert.is(damaged.read('search')?.length, 5000);
  damaged.close();
});

test('a saved file that cannot be finished leaves the previous one and nothing else', async () => {
  using made = makeFolder();
  await writeSavedFile(made.folder, KEY, sections());
  const failing = function* (): Generator<Buffer> {
    yield Buffer.from('begun');
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  };
  const code = await writeSavedFile(made.folder, { ...KEY, commit: 'b'.repeat(40) }, { rows: failing() }).catch(
    (error: { code: string }) => error.code,
  );
  assert.is(code, 'ENOSPC');
  assert.is(readSavedFile(made.folder, KEY.version)?.commit, KEY.commit);
  assert.equal(fs.readdirSync(made.folder), ['snapshot']);
});

test.run();
