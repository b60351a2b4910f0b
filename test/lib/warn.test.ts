import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { warnTo } from '../../src/lib/warn.ts';

test('a warning is a line of the log, with its error if there is one', () => {
  const lines: unknown[] = [];
  const warn = warnTo({ warn: (details, message) => void lines.push([details, message]) });
  const error = new Error('no');
  warn('one');
  warn('two', error);
  assert.equal(lines, [
    [{}, 'one'],
    [{ err: error }, 'two'],
  ]);
});

test.run();
