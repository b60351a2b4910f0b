// A pass over due documents, at a site that refuses, fails or changes meanwhile.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfig } from '../../src/config/parse.ts';
import { type Row, toRow } from '../../src/content/rows/row.ts';
import { invalid, ServiceError } from '../../src/lib/errors.ts';
import { nextTurn } from '../../src/lib/queues/slices.ts';
import { createDuePublisher, type DueSite } from '../../src/schedule/publish.ts';
import { compileSite } from '../../src/schema/compile.ts';
import { makeStored, SYSTEM } from '../content/world.ts';
import { CONFIG } from '../support/world.ts';

const POSTS = compileSite(parseConfig(CONFIG)).collections.get('posts')!;
const PAST = '2026-01-01T00:00:00.000Z';
const NOW = new Date('2026-01-02T00:00:00.000Z');

type Applied = Awaited<ReturnType<DueSite['content']['applyDue']>>;
const PUBLISHED: Applied = 'published';

function makePass(count: number, apply: (row: Row) => Promise<Applied> | Applied, ready = Promise.resolve()) {
  const rows = new Map<string, Row>(
    Array.from({ length: count }, (_, n) => {
      const slug = `n${n}`;
      return [`Id${slug}`, toRow(makeStored(POSTS, { id: `Id${slug}`, slug, publishAt: PAST }), 'e', POSTS)] as const;
    }),
  );
  const closing = new AbortController();
  const asked: string[] = [];
  const logged: object[] = [];
  const { publish, reasonFor } = createDuePublisher({
    site: {
      content: {
        async applyDue(_, id) {
          asked.push(id);
          return apply(rows.get(id)!);
        },
      },
      due: { ready, due: () => [...rows.values()] },
      closing: closing.signal,
    },
    actor: SYSTEM,
    now: () => NOW,
    logger: { error: (details) => void logged.push(details) },
  });
  return { rows, closing, asked, logged, publish, reasonFor };
}

test('due documents are counted as published or withdrawn, and not at all if they were changed meanwhile', async () => {
  const outcomes: Applied[] = ['published', 'unpublished', undefined];
  const { publish } = makePass(30, (row) => outcomes[Number(row.slug.slice(1)) % 3]);
  assert.equal(await publish(), { published: 10, unpublished: 10, errors: [] });
});

test('a refused document is reported in every pass, and tried again only after it has changed', async () => {
  const { publish, asked, rows, reasonFor } = makePass(3, (row) => {
    if (row.slug === 'n1' && row.etag === 'e') throw invalid([{ path: 'data.title', message: 'is required' }]);
    return undefined;
  });
  const errors = ['published: posts/n1: data.title: is required'];
  assert.equal((await publish()).errors, errors);
  assert.equal((await publish()).errors, errors);
  assert.is(asked.filter((id) => id === 'Idn1').length, 1);
  assert.equal(
    ['Idn0', 'Idn1'].map((id) => reasonFor(rows.get(id)!)),
    [undefined, 'data.title: is required'],
  );
  rows.set('Idn1', { ...rows.get('Idn1')!, etag: 'f' });
  assert.equal((await publish()).errors, []);
});

test('if many documents are refused, some are named and the others counted', async () => {
  const { publish } = makePass(500, () => {
    throw invalid('is wrong');
  });
  for (let pass = 0; pass < 2; pass++) {
    const { errors } = await publish();
    assert.is(errors.length, 21);
    assert.is(errors.at(-1), 'published: and 480 more documents');
  }
});

test('if a site refuses writes, the pass ends with one error, and the next pass tries everything again', async () => {
  let isFull = true;
  const { publish, asked, rows, reasonFor } = makePass(500, async () => {
    await nextTurn();
    if (isFull) throw new ServiceError('storage_full', 'the disk is full');
    return PUBLISHED;
  });
  assert.equal(await publish(), { published: 0, unpublished: 0, errors: ['published: the disk is full'] });
  assert.ok(asked.length < 100, `${asked.length} were tried`);
  assert.is(reasonFor(rows.get('Idn499')!), 'the disk is full');
  isFull = false;
  assert.equal(await publish(), { published: 500, unpublished: 0, errors: [] });
  assert.is(reasonFor(rows.get('Idn499')!), undefined);
});

test('a bug at one document is logged and stops no other', async () => {
  const { publish, logged, rows, reasonFor } = makePass(10, (row) => {
    if (row.slug === 'n3') throw new TypeError('x is not a function');
    return 'published';
  });
  const { published, errors } = await publish();
  assert.equal([published, errors.length, logged.length], [9, 1, 1]);
  assert.match(reasonFor(rows.get('Idn3')!) ?? '', /unexpected error/);
});

test('other work gets its turn while thousands of documents are published', async () => {
  const { publish } = makePass(400, () => {
    for (const until = performance.now() + 0.5; performance.now() < until; );
    return 'published';
  });
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns++) await nextTurn();
  })();
  await publish();
  isDone = true;
  await others;
  assert.ok(turns > 20, `${turns} turns in some 200 ms`);
});

test('closing a site ends a pass, even one that has not started', async () => {
  const pass = makePass(1000, async (row) => {
    if (row.slug === 'n20') pass.closing.abort();
    return PUBLISHED;
  });
  const { published } = await pass.publish();
  assert.ok(published >= 20 && published < 60, `${published}`);
  const waiting = makePass(10, () => 'published', new Promise<void>(() => undefined));
  const done = waiting.publish();
  waiting.closing.abort();
  assert.is((await done).published, 0);
});

test.run();
