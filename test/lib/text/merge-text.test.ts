// Texts that both sides changed. What git merges cleanly over lines must come out byte for byte the same.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeText } from '../../../src/lib/text/merge-text.ts';
import { createRandom, type Random } from '../../support/random.ts';

const BASE = 'One.\n\nThe second paragraph has words.\n\nThree.\n';

test('paragraphs that each side changed alone are both kept', () => {
  const ours = BASE.replace('One.', 'First.');
  const theirs = BASE.replace('Three.', 'Third.\n\nFourth.');
  assert.equal(mergeText(BASE, ours, theirs), {
    text: 'First.\n\nThe second paragraph has words.\n\nThird.\n\nFourth.\n',
    isWhole: true,
  });
});

test('different words of one line are both kept', () => {
  const merged = mergeText(BASE, BASE.replace('second', '2nd'), BASE.replace('words', 'many words'));
  assert.equal(merged, { text: BASE.replace('second', '2nd').replace('words', 'many words'), isWhole: true });
});

test('of one word that both changed ours stays, and the result says that theirs does not show', () => {
  const merged = mergeText(BASE, BASE.replace('second', '2nd'), BASE.replace('second', 'other').replace('Three', '3'));
  assert.equal(merged, { text: BASE.replace('second', '2nd').replace('Three', '3'), isWhole: false });
});

test('a line that ours rewrote gets no single word of theirs', () => {
  const ours = BASE.replace('The second paragraph has words.', 'Nothing of it is as it was before today.');
  assert.equal(mergeText(BASE, ours, BASE.replace('words', 'text')), { text: ours, isWhole: false });
});

test('the same change on both sides is made once', () => {
  const both = BASE.replace('Three.', 'Third.');
  assert.equal(mergeText(BASE, both, both), { text: both, isWhole: true });
  const ours = both.replace('One.', 'First.');
  assert.equal(mergeText(BASE, ours, both), { text: ours, isWhole: true });
});

test('scripts without spaces are merged too', () => {
  assert.equal(mergeText('今日は天気がいいです', '明日は天気がいいです', '今日は天気が悪いです').isWhole, true);
});

test('texts without anything in common, or with more changes than can be compared, keep ours at once', () => {
  const many = (word: string): string => Array.from({ length: 100_000 }, (_, n) => `${word} ${n % 7}\n`).join('');
  const began = performance.now();
  const merged = mergeText(many('a'), many('b'), many('c'));
  assert.equal(merged.isWhole, false);
  assert.is(merged.text, many('b'));
  assert.ok(performance.now() - began < 5000);
});

/** Changes, removes and inserts a few lines. */
function edit(lines: readonly string[], random: Random, name: string): string[] {
  const edited = [...lines];
  for (let n = random.whole(0, 4); n > 0; n--) {
    const at = random.whole(0, Math.max(0, edited.length - 1));
    const kind = random.whole(0, 2);
    const fresh = random.next() < 0.2 ? 'x\n' : `${name} ${random.whole(0, 99)}\n`;
    if (kind === 0) edited.splice(at, random.whole(0, 2));
    else edited.splice(at, kind === 1 ? 1 : 0, fresh);
  }
  return edited;
}

test('what git merge-file merges without a conflict comes out the same, and what it cannot merge keeps ours', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-merge-'));
  const random = createRandom();
  const seed = `SEED=${random.seed}`;
  let clean = 0;
  for (let round = 0; round < 150; round++) {
    const isRepetitive = round % 5 === 0;
    const base = Array.from({ length: random.whole(0, 14) }, (_, n) => (isRepetitive ? `${n % 3}\n` : `line ${n}\n`));
    const texts = [edit(base, random, 'ours'), base, edit(base, random, 'theirs')].map((lines) => lines.join(''));
    const [ours = '', before = '', theirs = ''] = texts;
    const files = texts.map((text, at) => {
      const file = path.join(folder, String(at));
      writeFileSync(file, text);
      return file;
    });
    const { status, stdout } = spawnSync('git', ['merge-file', '-p', '--quiet', ...files], { encoding: 'utf8' });
    const merged = mergeText(before, ours, theirs);
    if (status === 0) {
      clean++;
      if (!isRepetitive) assert.is(merged.text, stdout, `${seed}, round ${round}`);
      assert.ok(merged.isWhole || isRepetitive, `${seed}, round ${round}`);
    }
  }
  rmSync(folder, { recursive: true, force: true });
  assert.ok(clean > 30, `${clean} of 150, ${seed}`);
});

test.run();
