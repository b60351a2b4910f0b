// Which locks a pushed commit touches.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findNewLocks, findTouchedLocks, type OtherSide, unlockedIn } from '../../../src/content/locks/pushed-locks.ts';

const PATH = 'content/posts/hello.json';
const META = { body: { lockedBy: 'user', lockedAt: '2026-01-02T03:04:05.678Z' }, title: { aiGenerated: true } };

/** A file's text is its blob id. */
function text(change: Record<string, unknown> = {}, data: Record<string, unknown> = {}): string {
  const at = '2026-01-01T00:00:00.000Z';
  return JSON.stringify({
    ...{ id: 'a1B2c3D4e5F6', slug: 'hello', collection: 'posts', status: 'draft', createdAt: at, updatedAt: at },
    ...{ data: { title: 'Hello', body: 'Body', ...data }, _fieldMeta: META, ...change },
  });
}
const reader = { readBlob: (oid: string): Buffer => Buffer.from(oid), schemaOf: () => undefined };
const breathe = () => undefined;

async function touched(before: string | null, after: string | null, others: OtherSide[] = []): Promise<string[]> {
  const problems = await findTouchedLocks([{ path: PATH, before, after }], others, reader, breathe);
  return problems.flatMap(({ fields }) => fields).sort();
}

test('a commit touches a locked value, a lock or the metadata of a field, and nothing else counts', async () => {
  assert.equal(await touched(text(), text({ status: 'published' }, { title: 'New' })), []);
  assert.equal(await touched(text(), text({}, { body: 'New' })), ['body']);
  assert.equal(await touched(text(), text({ _fieldMeta: undefined })), ['body', 'title']);
  assert.equal(await touched(text(), text({ _fieldMeta: { ...META, title: {} } })), ['title']);
  assert.equal(await touched(text({ _fieldMeta: undefined }), text({ _fieldMeta: undefined }, { body: 'New' })), []);
  assert.equal(await touched(null, text()), ['body', 'title']);
  assert.equal(await touched(text(), null), ['body']);
  assert.equal(await touched(text(), '{'), ['body']);
  assert.equal(await touched(text(), text({ id: 'A1B2c3D4e5F6' })), ['body', 'body', 'title']);
});

test('what the other side of a merge changed since the merge base does not count, and what it never had does', async () => {
  const [old, now] = [text(), text({}, { body: 'New' })];
  const side = (theirs: string, ...bases: string[]): OtherSide => ({
    theirs: () => theirs,
    bases: bases.map((base) => () => base),
  });
  assert.equal(await touched(old, now, [side(now, old)]), []);
  assert.equal(await touched(old, now, [side(now, now)]), ['body']);
  assert.equal(await touched(old, now, [side(now, old, now)]), ['body']);
  assert.equal(await touched(old, now, [side(now)]), ['body']);
  assert.equal(await touched(old, now, [side(old, old)]), ['body']);
});

test('a field that was locked since is found if the push changes it', () => {
  const bare = text({ _fieldMeta: undefined });
  const locked = Buffer.from(text({ _fieldMeta: { body: META.body } }));
  const find = (before: string | undefined, after: string | undefined) =>
    findNewLocks(PATH, locked, { before, after }, reader);
  assert.equal(find(bare, text({ _fieldMeta: undefined }, { body: 'New' })), ['body']);
  assert.equal(find(bare, undefined), ['body']);
  assert.equal(find(bare, text({ _fieldMeta: undefined }, { title: 'New' })), []);
  assert.equal(find(bare, bare), []);
  assert.equal(find(String(locked), text({ _fieldMeta: { body: META.body } }, { body: 'New' })), []);
  assert.equal(find(undefined, bare), ['body']);
});

test('a message unlocks the fields that it names', () => {
  assert.equal([...unlockedIn('x\n\nUnlock: body, title\nunlock:seo\r\n')], ['body', 'title', 'seo']);
  assert.equal([...unlockedIn('x\n\nUnlock: a%2Cb\n')], ['a%2Cb', 'a,b']);
  assert.is(unlockedIn('x\n\n Unlock: body\nTo unlock: title\n').size, 0);
});

test.run();
