// Merges of texts, held against `git merge-file`: what git merges cleanly has the same text here.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeTexts } from '../../../../src/lib/text/merge/merge-text.ts';
import { createRandom } from '../../../support/random.ts';

const P1 = 'The first paragraph speaks of a house by the sea.';
const P2 = 'The second paragraph speaks of the people in it.';

test('changes of different lines are both kept', () => {
  const base = `${P1}\n\n${P2}`;
  const merged = mergeTexts(base, base.replace('house', 'mill'), base.replace('people', 'ghosts'));
  assert.equal(merged, { text: base.replace('house', 'mill').replace('people', 'ghosts'), isTheirsLost: false });
});

test('changes of lines that touch are both kept, and so is a paragraph below a changed one', () => {
  const base = 'one\ntwo\nthree';
  assert.is(mergeTexts(base, 'ONE\ntwo\nthree', 'one\nTWO\nthree').text, 'ONE\nTWO\nthree');
  assert.equal(mergeTexts(P1, `${P1}\n\n${P2}`, P1.replace('sea', 'lake')), {
    text: `${P1.replace('sea', 'lake')}\n\n${P2}`,
    isTheirsLost: false,
  });
});

test('changes of different words of one paragraph are both kept', () => {
  const merged = mergeTexts(P1, P1.replace('first', 'opening'), P1.replace('by the sea', 'on a hill'));
  assert.equal(merged, { text: 'The opening paragraph speaks of a house on a hill.', isTheirsLost: false });
});

test('if both sides change the same words, ours stays, and the other lines of theirs are kept', () => {
  const base = `${P1}\n\n${P2}\n`;
  const theirs = base.replace('house', 'tower').replace('people', 'ghosts');
  assert.equal(mergeTexts(base, base.replace('house', 'mill'), theirs), {
    text: `${P1.replace('house', 'mill')}\n\n${P2.replace('people', 'ghosts')}\n`,
    isTheirsLost: true,
  });
});

test('a short line is not merged word by word', () => {
  assert.equal(mergeTexts('Price: 10 EUR', 'Price: 12 EUR', 'Price: 10 USD'), {
    text: 'Price: 12 EUR',
    isTheirsLost: true,
  });
});

test('the same change of both sides is made once', () => {
  const [base, same] = [`${P1}\n${P2}`, `${P1}\nNew.\n${P2}`];
  assert.equal(mergeTexts(base, same, same), { text: same, isTheirsLost: false });
  assert.is(mergeTexts(base, same, `${same}\nMore.`).text, `${same}\nMore.`);
});

test('sentences without spaces are merged by character', () => {
  const base = '東京は日本の首都です。';
  assert.is(
    mergeTexts(base, base.replace('東京', '大阪'), base.replace('首都', '都市')).text,
    '大阪は日本の都市です。',
  );
});

type Below = (limit: number) => number;

function createBelow(seed: number): Below {
  const random = createRandom(seed);
  return (limit) => random.whole(0, limit - 1);
}

function edit(lines: readonly string[], random: Below, words: number): string[] {
  const edited = [...lines];
  for (let n = random(4); n >= 0; n--) {
    const fresh = Array.from({ length: random(3) }, () => (random(3) === 0 ? '' : `w${random(words)}`));
    edited.splice(random(edited.length + 1), random(3), ...fresh);
  }
  return edited;
}

test('what git merges cleanly over lines has the same text here', () => {
  const folder = mkdtempSync(join(tmpdir(), 'merge-text-'));
  let clean = 0;
  try {
    for (let seed = 1; seed <= 200; seed++) {
      const random = createBelow(seed);
      const words = 2 + random(30);
      const line = (): string => (random(3) === 0 ? '' : `w${random(words)}`);
      const base = Array.from({ length: random(40) }, line);
      const end = random(2) ? '\n' : '';
      const texts = [edit(base, random, words), base, edit(base, random, words)].map((lines) => lines.join('\n') + end);
      const paths = texts.map((text, i) => {
        const path = join(folder, `${i}`);
        writeFileSync(path, text);
        return path;
      });
      const ran = spawnSync('git', ['merge-file', '-p', ...paths], { encoding: 'utf8' });
      if (ran.status !== 0) continue;
      clean++;
      const [ours = '', before = '', theirs = ''] = texts;
      assert.equal(mergeTexts(before, ours, theirs), { text: ran.stdout, isTheirsLost: false }, `seed ${seed}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  assert.ok(clean > 40, `${clean} clean merges`);
});

test('hostile texts are merged in bounded time', () => {
  const a = 'a\nb\n'.repeat(15_000);
  const random = createBelow(7);
  const noise = (): string => Array.from({ length: 30_000 }, () => random(50)).join('\n');
  for (const [base, ours, theirs] of [
    [a, 'b\na\n'.repeat(15_000), 'a\na\nb\n'.repeat(9000)],
    [noise(), noise(), noise()],
    ['x '.repeat(400_000), 'y x '.repeat(200_000), 'x z '.repeat(200_000)],
  ] as const) {
    const startedMs = performance.now();
    assert.type(mergeTexts(base, ours, theirs).text, 'string');
    const ms = performance.now() - startedMs;
    assert.ok(ms < 3000, `${ms} ms`);
  }
});

test.run();
