import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { foldName, normalize, toStreamSafe } from '../../../src/lib/text/stream-safe.ts';

const MARKS = '\u0301\u0323';

test('a text with up to 30 marks in a row stays as it is', () => {
  for (const text of ['', 'hello', 'é', `a${MARKS.repeat(15)}b${MARKS.repeat(15)}`, MARKS.repeat(15)]) {
    assert.is(toStreamSafe(text), text);
  }
});

test('a joiner splits longer runs of marks, and splitting them again changes nothing', () => {
  const parted = toStreamSafe(`a${MARKS.repeat(40)}b`);
  assert.is(parted, `a${MARKS.repeat(15)}\u034f${MARKS.repeat(15)}\u034f${MARKS.repeat(10)}b`);
  assert.is(toStreamSafe(parted), parted);
});

test('marks of two UTF-16 units are counted as one, and never cut in two', () => {
  const mark = '\u{1d165}';
  assert.is(toStreamSafe(mark.repeat(30)), mark.repeat(30));
  assert.is(toStreamSafe(mark.repeat(31)), `${mark.repeat(30)}\u034f${mark}`);
});

test('whatever sorting moves is counted as a mark', () => {
  const counted = (text: string): boolean => toStreamSafe(text.repeat(31)) !== text.repeat(31);
  const unseen: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const text = String.fromCodePoint(code);
    // Marks of two classes, of which the later one sorts in front: a mark that stays in place is not sorted at all.
    const isSorted = `${text}\u0334`.normalize('NFKD') !== `${text.normalize('NFKD')}\u0334`;
    const isLetter = !/^\p{M}/u.test(text.normalize('NFKD'));
    if (isSorted && !isLetter && !counted(text)) unseen.push(code.toString(16));
  }
  assert.equal(unseen, []);
});

test('texts are normalised as JavaScript normalises them', () => {
  assert.is(normalize('cafe\u0301', 'NFC'), 'caf\u00e9');
  assert.is(normalize('\ufb01', 'NFKD'), 'fi');
  assert.is(normalize('\u00e9', 'NFD'), 'e\u0301');
});

test('names are folded by case and accents', () => {
  assert.is(foldName('READ-me.TXT'), 'read-me.txt');
  assert.is(foldName('E\u0301T\u00c9'), foldName('\u00e9te\u0301'));
});

test.run();
