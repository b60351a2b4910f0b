import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createClosers } from '../../src/sites/closers.ts';

test('what was opened last is closed first, one after the other, and once', async () => {
  const closers = createClosers();
  const seen: string[] = [];
  for (const name of ['store', 'views', 'remote']) {
    closers.add(async () => {
      seen.push(`${name} closes`);
      await Promise.resolve();
      seen.push(`${name} closed`);
    });
  }
  await Promise.all([closers.close(), closers.close()]);
  const order = ['remote closes', 'remote closed', 'views closes', 'views closed', 'store closes', 'store closed'];
  assert.equal(seen, order);
});

test('a failure to close one keeps none of the others open', async () => {
  const closers = createClosers();
  const seen: string[] = [];
  closers.add(() => seen.push('store'));
  closers.add(() => Promise.reject(new Error('views')));
  closers.add(() => {
    throw new Error('remote');
  });
  const problem = await closers.close().catch((error: Error) => error.message);
  assert.is(problem, 'remote');
  assert.equal(seen, ['store']);
});

test.run();
