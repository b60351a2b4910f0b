import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FieldConfig } from '../../../src/config/site-config.ts';
import { openTextThread } from '../../../src/generation/texts/text-thread.ts';
import { refusalOf } from '../../support/ai/talk.ts';

const fields: FieldConfig[] = [{ name: 'body', type: 'richtext' }];
const open = (body: unknown, limitMs?: number) =>
  openTextThread({ data: { body }, fields, blocks: [], ...(limitMs === undefined ? {} : { limitMs }) });

test('texts are taken out and put in again in order', async () => {
  const thread = open('# One\n\nTwo');
  const units = await thread.collect();
  assert.equal(
    units.map(({ path, text }) => [path, text]),
    [
      ['data.body', 'One'],
      ['data.body', 'Two'],
    ],
  );
  assert.equal(await thread.place(['Eins', 'Zwei']), { value: { body: '# Eins\n\nZwei' }, kept: [] });
});

test('a text that is nested without end stays as it is, and is named', async () => {
  const body = `${'> '.repeat(20_000)}a`;
  const thread = open(body);
  assert.equal(await thread.collect(), []);
  const { value, kept } = await thread.place([]);
  assert.equal([value, kept.length], [{ body }, 1]);
});

test('a text that is slow to read is refused when its time is over, and does not hold up others', async () => {
  // The start of the thread alone takes about as long.
  const slow = open('_a_'.repeat(300_000), 100);
  const began = performance.now();
  let turns = 0;
  const turning = setInterval(() => turns++, 10);
  const { code } = await refusalOf(slow.collect()).finally(() => clearInterval(turning));
  assert.is(code, 'invalid_input');
  assert.ok(turns > 3, `${turns} turns in ${performance.now() - began} ms`);
});

test('what is nested deeply stays, and the rest is translated', async () => {
  const thread = open(`Before\n\n${'> '.repeat(30)}deep\n\nAfter`);
  const units = await thread.collect();
  assert.equal(
    units.map(({ text }) => text),
    ['Before', 'After'],
  );
  assert.is((await thread.place(['Vor', 'Nach'])).kept.length, 1);
});

test.run();
