// The deliveries to a receiver of webhooks, changed one detail at a time.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkDeliveries, createEarlierDeliveries, type Delivery } from '../../scripts/soak/check-deliveries.ts';
import { startTale, type Tale } from './tale.ts';

/** Two changes of one document, one of another, and an external commit. */
function makeTale(): { tale: Tale; deliveries: Delivery[] } {
  const tale = startTale();
  tale.write({ kind: 'create', collection: 'posts', slug: 'a', data: { title: 'A' } });
  tale.write({ kind: 'update', collection: 'posts', slug: 'a', data: { title: 'B' } });
  tale.push('posts/theirs', { title: 'T' });
  tale.write({ kind: 'create', collection: 'posts', slug: 'b', data: { title: 'C' } });
  const deliveries = tale.commits.map(({ id, changeId, event, changes }): Delivery => {
    const { place, doc } = changes[0]!;
    return { id: `msg-${id}`, event, changeId: changeId || id, commit: id, documentId: doc!.id, place };
  });
  return { tale, deliveries };
}

const messages = (...args: Parameters<typeof checkDeliveries>): string[] =>
  checkDeliveries(...args).map(({ message }) => message);

test('a receiver that got each change once, in order, breaks no rule', () => {
  const { tale, deliveries } = makeTale();
  assert.equal(messages(tale, deliveries), []);
});

test('the same delivery may come again', () => {
  const { tale, deliveries } = makeTale();
  assert.equal(messages(tale, [...deliveries, deliveries[0]!]), []);
});

test('an undelivered change is missed, ours or external', () => {
  const { tale, deliveries } = makeTale();
  deliveries.forEach((left, n) => {
    const found = checkDeliveries(
      tale,
      deliveries.filter((one) => one !== left),
    );
    assert.is(found.length, 1, `delivery ${n}`);
    assert.ok(found[0]!.isMissing);
  });
});

test('a lock need not be delivered', () => {
  const { tale, deliveries } = makeTale();
  tale.write({ kind: 'lock', collection: 'posts', slug: 'a', field: 'title', reason: 'r' });
  assert.equal(messages(tale, deliveries), []);
});

test('one change under two delivery ids is found, even if the first was in the previous epoch', () => {
  const { tale, deliveries } = makeTale();
  const again = { ...deliveries[0]!, id: 'msg-other' };
  assert.is(messages(tale, [...deliveries, again]).length, 1);
  const before = createEarlierDeliveries();
  before.keep(tale, deliveries);
  assert.is(messages({ ...tale, commits: [] }, [again], before).length, 1);
  assert.equal(messages({ ...tale, commits: [] }, [deliveries[0]!], before), []);
});

test('a change may come under another id once for each external commit that changed its document', () => {
  const { tale, deliveries } = makeTale();
  const again = { ...deliveries[1]!, id: 'msg-other', commit: 'replayed' };
  assert.is(messages(tale, [...deliveries, again]).length, 1);
  const theirs = { ...deliveries[2]!, documentId: again.documentId };
  assert.equal(messages(tale, [...deliveries, theirs, again]), []);
  assert.equal(messages(tale, [...deliveries, theirs, again, again, deliveries[1]!]), []);
  assert.is(messages(tale, [...deliveries, again, theirs]).length, 1);
  assert.is(messages(tale, [theirs, ...deliveries, again]).length, 1, 'the external commit was below it before');
  assert.is(messages(tale, [...deliveries, theirs, again, { ...again, id: 'msg-third' }]).length, 1);
  const before = createEarlierDeliveries();
  before.keep(tale, [...deliveries, theirs]);
  assert.equal(messages({ ...tale, commits: [] }, [again], before), []);
  const earlier = createEarlierDeliveries();
  earlier.keep(tale, [...deliveries, theirs, again]);
  assert.is(messages({ ...tale, commits: [] }, [{ ...again, id: 'msg-third' }], earlier).length, 1);
});

test('changes of one document in another order are found, and those of two documents are allowed', () => {
  const { tale, deliveries } = makeTale();
  const [first, second, theirs, other] = deliveries;
  assert.is(messages(tale, [second!, first!, theirs!, other!]).length, 1);
  assert.equal(messages(tale, [other!, theirs!, first!, second!]), []);
});

test('a delivery of a change that is not in the log is found', () => {
  const { tale, deliveries } = makeTale();
  const ghost = { ...deliveries[0]!, id: 'msg-ghost', changeId: 'change-ghost' };
  assert.is(messages(tale, [...deliveries, ghost]).length, 1);
});

test.run();
