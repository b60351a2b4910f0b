// Workflows run what was reviewed: an action is named by its whole commit, because a tag can be moved.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const ROOT = path.join(import.meta.dirname, '..');
/** A step of a workflow, wherever it is written: in a workflow, in a page, or in what the service writes. */
const USES = /\buses:\s*["']?([\w.-]+\/[\w./-]+@[^\s"'#]+)/g;
const PINNED = /@[0-9a-f]{40}$/;

function listUses(text: string): string[] {
  return [...text.matchAll(USES)].map(([, action = '']) => action);
}

test('every action of a workflow is named by its whole commit', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const files = tracked.filter(
    (file) => /\.(ya?ml|md|ts|tsx|liquid|txt)$/.test(file) && file !== 'test/workflows.test.ts',
  );
  const found = files
    .filter((file) => existsSync(path.join(ROOT, file)))
    .flatMap((file) => listUses(readFileSync(path.join(ROOT, file), 'utf8')).map((action) => `${file}: ${action}`));
  assert.ok(found.length >= 8, String(found.length));
  assert.equal(
    found.filter((one) => !PINNED.test(one)),
    [],
  );
});

test('a tag, a branch and a short commit are noticed', () => {
  const text = `- uses: actions/checkout@v4 # x\n- uses: "a/b@main"\n  uses: a/b/c@1234567\n- uses: a/b@${'0'.repeat(40)} # v1`;
  assert.equal(
    listUses(text).map((action) => PINNED.test(action)),
    [false, false, false, true],
  );
});

test.run();
