// The one file that is injected into a machine, and its version.
import { createHash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toOneFile } from '../../src/sync/one-file.ts';
import { SYNC_VERSION } from '../../src/sync/version.ts';

/** Hashes of the code without comments and spaces. A version that was released keeps its hash. */
const HASHES: Record<number, string> = {
  1: '99446b96c24476ea',
  2: 'bd562f0cf7b3e1b0',
};

test('the file imports nothing but modules of Node', () => {
  const specifiers = [...toOneFile().matchAll(/^import .* from '(.*)';$/gm)].map(([, specifier = '']) => specifier);
  assert.ok(specifiers.length > 3);
  assert.equal(
    specifiers.filter((specifier) => !specifier.startsWith('node:')),
    [],
  );
});

test('code that changed has another version', () => {
  const code = toOneFile()
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ');
  assert.is(createHash('sha256').update(code).digest('hex').slice(0, 16), HASHES[SYNC_VERSION]);
});

test.run();
