import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { addSpent, reserve, spentNow } from '../../src/agents/budget.ts';
import type { AiWrites } from '../../src/curation/ai-writes.ts';
import { makeWorld, type World } from '../support/world.ts';
import { editor, writer } from './queue.ts';

const FIELDS = ['title', 'body', 'rank'] as const;

const Write = fc.record({
  door: fc.constantFrom('update', 'propose', 'publish', 'approve as ai', 'approve as person'),
  fields: fc.subarray([...FIELDS], { minLength: 1 }),
  seed: fc.nat(1000),
});

type WriteStep = typeof Write extends fc.Arbitrary<infer T> ? T : never;

async function refused(work: Promise<unknown>): Promise<void> {
  await work.catch((error) => {
    if (typeof error.status !== 'number' || error.status >= 500) throw error;
  });
}

async function apply(world: World, writes: AiWrites, { door, fields, seed }: WriteStep): Promise<void> {
  const values = { title: `Title ${seed}`, body: `Body ${seed}`, rank: seed };
  const data = Object.fromEntries(fields.map((field) => [field, values[field]]));
  const target = { slug: 'hello' };
  const { curation } = world.site();
  if (door === 'update')
    return refused(writes.update('posts', 'hello', { data }, writer({ mayPublish: seed % 2 === 0 })));
  if (door === 'propose') return refused(writes.propose('posts', target, data, writer(), [data]));
  if (door === 'publish') return refused(writes.update('posts', 'hello', { data, status: 'published' }, writer()));
  const { items } = await curation.list({ limit: 100, offset: 0 });
  const by = editor(['content:read', 'content:write', 'content:publish'], door === 'approve as ai' ? 'ai' : 'user');
  const item = items[seed % Math.max(1, items.length)];
  if (item) await refused(curation.approve(item.id, item.alternatives.length > 0 ? { alternative: 0 } : {}, by));
}

test('no sequence of writes of an AI changes a locked field', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  const { aiWrites } = world.site();
  await admin.post('/api/cms/posts', { slug: 'hello', status: 'published', data: { title: 'T', body: 'B', rank: 1 } });
  const sequences = fc.asyncProperty(
    fc.subarray([...FIELDS], { minLength: 1 }),
    fc.array(Write, { minLength: 1, maxLength: 8 }),
    async (locked, sequence) => {
      await admin.put('/api/content/posts/hello/_fieldMeta/unlock-all');
      // Proposed before the lock.
      await apply(world, aiWrites, { door: 'propose', fields: [...FIELDS], seed: 7 });
      for (const field of locked) await admin.put(`/api/content/posts/hello/_fieldMeta/${field}/lock`, {});
      const before = (await admin.get('/api/cms/posts/hello')).json.data;
      for (const write of sequence) await apply(world, aiWrites, write);
      const after = (await admin.get('/api/cms/posts/hello')).json.data;
      for (const field of locked) assert.equal(after[field], before[field], field);
    },
  );
  await fc.assert(sequences, { numRuns: 25, seed: 13 });
});

test('costs never exceed a budget by more than one step, whatever steps really cost', () => {
  const price = {
    usd: ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) =>
      (inputTokens * 2 + outputTokens * 10) / 1e6,
  };
  const Step = fc.record({
    expected: fc.nat(5000),
    input: fc.nat(5000),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const now = new Date('2026-01-02T03:04:05Z');
  fc.assert(
    fc.property(fc.array(Step, { maxLength: 60 }), fc.double({ min: 0, max: 0.2, noNaN: true }), (steps, dailyUsd) => {
      let spent = spentNow({ day: '', dayUsd: 0, month: '', monthUsd: 0 }, 'UTC', now);
      let real = 0;
      for (const { expected, input, share } of steps) {
        const held = reserve({ dailyUsd, monthlyUsd: null }, spent, price, expected, 4096);
        if (!held) continue;
        spent = addSpent(spent, held.usd, held);
        const cost = price.usd({ inputTokens: input, outputTokens: Math.floor(held.maxOutputTokens * share) });
        assert.ok(real <= dailyUsd + 1e-9);
        real += cost;
        spent = addSpent(spent, cost - held.usd, held);
        assert.ok(Math.abs(spent.dayUsd - real) < 1e-6);
      }
    }),
    { numRuns: 300, seed: 13 },
  );
});

test.run();
