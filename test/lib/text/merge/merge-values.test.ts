// Merges of JSON values.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeValues } from '../../../../src/lib/text/merge/merge-values.ts';

const TEXT = 'A text of more than five words.';

test('a value that one side changed is that side’s', () => {
  assert.equal(mergeValues(1, 1, 2), { value: 2, isTheirsLost: false });
  assert.equal(mergeValues(['a'], undefined, ['a']), { value: undefined, isTheirsLost: false });
  assert.equal(mergeValues(undefined, 'x', 'x'), { value: 'x', isTheirsLost: false });
});

test('of a value that both sides changed ours stays', () => {
  assert.equal(mergeValues(['a'], ['a', 'b'], ['c']), { value: ['a', 'b'], isTheirsLost: true });
  assert.equal(mergeValues('x', undefined, 'y'), { value: undefined, isTheirsLost: true });
});

test('texts inside objects are merged if nothing else differs', () => {
  const base = { de: TEXT, en: TEXT };
  const [ours, theirs] = [
    { ...base, de: 'Anders' },
    { ...base, en: 'Otherwise' },
  ];
  assert.equal(mergeValues(base, ours, theirs), { value: { de: 'Anders', en: 'Otherwise' }, isTheirsLost: false });
  const place = { lat: 1, lng: 1 };
  assert.equal(mergeValues(place, { lat: 2, lng: 1 }, { lat: 1, lng: 3 }), {
    value: { lat: 2, lng: 1 },
    isTheirsLost: true,
  });
});

const text = (words: string) => ({ type: 'text', text: words });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const docOf = (...content: object[]) => ({ type: 'doc', content });

test('rich text is merged block by block, and word by word inside a block', () => {
  const [one, two, three] = [paragraph(text(TEXT)), paragraph(text('Two')), paragraph(text('Three'))];
  const ours = docOf(paragraph(text(TEXT.replace('A text', 'Our text'))), two, three);
  const theirs = docOf(paragraph(text(TEXT.replace('five', 'nine'))), two, paragraph(text('3')), paragraph(text('4')));
  assert.equal(mergeValues(docOf(one, two, three), ours, theirs), {
    value: docOf(paragraph(text('Our text of more than nine words.')), two, paragraph(text('3')), paragraph(text('4'))),
    isTheirsLost: false,
  });
  const heading = docOf({ type: 'heading', content: [text('Two')] });
  assert.equal(mergeValues(docOf(two), heading, docOf(three)), { value: heading, isTheirsLost: true });
});

test.run();
