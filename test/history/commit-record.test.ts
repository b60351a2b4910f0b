// A commit's metadata: for our commits the trailers, for external ones author and date.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { toMessage } from '../../src/content/commits/message.ts';
import { changeIdentityOf, readRecord } from '../../src/history/commit-record.ts';
import { COMMITTER } from '../../src/store/committer.ts';
import { encodeCommit, type Person, replantCommit } from '../../src/store/git/objects.ts';
import { makeDesk, USER } from '../content/world.ts';

const TREE = 'a'.repeat(40);
const ADA: Person = { name: 'Ada', email: 'ada@example.com' };

function commit(message: string, committer = COMMITTER, seconds = 1_767_400_000): Buffer {
  const times = { authoredAt: seconds, committedAt: seconds };
  return encodeCommit({ tree: TREE, parents: ['b'.repeat(40)], author: ADA, committer, ...times, message });
}

const read = (body: Buffer) => readRecord(body, COMMITTER);

test('our commit names its document, the place, the fields and the actor', () => {
  const desk = makeDesk();
  desk.create({ slug: 'hello', data: {} });
  const event = desk.update('hello', { data: { title: 'T', 'odd, key%': 1, ünïcode: 2 } });
  const { subject, trailers } = toMessage(event, {});
  const { own, author, date } = read(commit(`${subject}\n\n${trailers.join('\n')}\nChange-Id: c1\n`));
  assert.equal(own, {
    event: 'document.updated',
    actor: 'user',
    userId: USER.userId,
    changeId: 'c1',
    replaced: [],
    notShown: [],
    fields: ['title', 'odd, key%', 'ünïcode'],
    documents: { id: event.after.id, also: [] },
    place: { collection: 'posts', slug: 'hello' },
    isMediaMove: false,
  });
  assert.equal([author, date], [ADA, '2026-01-03T00:26:40.000Z']);
});

test('documents that change along with another are named, unless there are too many', () => {
  const desk = makeDesk('posts', undefined, ['en', 'de', ...Array.from({ length: 200 }, (_, n) => `x-t${n}`)]);
  const source = desk.create({ slug: 'source', data: {} }).after;
  const one = desk.create({ slug: 'one', locale: 'de', translationOf: 'source', data: {} }).after;
  const rename = () => toMessage(desk.update('source', { slug: `source-${desk.docs.size}` }), {});
  const textOf = ({ subject, trailers }: ReturnType<typeof toMessage>) =>
    `${subject}\n\n${trailers.join('\n')}\nChange-Id: c1\n`;
  const few = toMessage(desk.update('source', { slug: 'renamed' }), {});
  assert.equal(read(commit(textOf(few))).own?.documents, { id: source.id, also: [one.id] });
  desk.update('renamed', { slug: 'source' });
  for (let i = 0; i < 200; i++)
    desk.create({ slug: `t${i}`, locale: `x-t${i}`, translationOf: 'source', data: {} }, USER);
  assert.is(read(commit(textOf(rename()))).own?.documents, undefined);
});

test('a commit by another committer is external, whatever its message says', () => {
  const message = 'posts/hello: update\n\nEvent: document.updated\nDocument-Id: Id0000000001\nChange-Id: c1\n';
  assert.ok(read(commit(message)).own);
  assert.is(read(commit(message, ADA)).own, undefined);
  assert.is(read(commit('Merge branch main\n')).own, undefined);
  assert.is(read(commit(message.replace('Id0000000001', 'nobody'))).own?.documents, undefined);
});

test('an author name with control characters is shown on one line, without them', () => {
  const times = { authoredAt: 1, committedAt: 1 };
  const body = encodeCommit({ tree: TREE, parents: [], author: ADA, committer: ADA, ...times, message: 'x\n' });
  const forged = body.toString('utf8').replace('author Ada <ada@', 'author \u202enimdA\u2066 \u0085x <\u202eada@');
  assert.equal(read(Buffer.from(forged)).author, { name: 'nimdA x', email: 'ada@example.com' });
});

test('a date out of range is shown as the nearest possible date', () => {
  assert.is(read(commit('x\n', ADA, 1e15)).date, '9999-12-31T00:00:00.000Z');
  assert.is(
    read(
      Buffer.from(
        commit('x\n')
          .toString()
          .replace(/1767400000/g, '-5'),
      ),
    ).date,
    '1970-01-01T00:00:00.000Z',
  );
});

test('a replayed commit is recognised, and a different commit is not', () => {
  const body = commit('posts/a: update\n\nChange-Id: c1\n');
  assert.is(changeIdentityOf(replantCommit(body, 'd'.repeat(40), null)), changeIdentityOf(body));
  assert.is.not(changeIdentityOf(commit('posts/a: update\n\nChange-Id: c2\n')), changeIdentityOf(body));
});

test.run();
