// Whatever a model sends, the answer is a value or a refusal that says what to do, and never a bug.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ANONYMOUS, PERMISSIONS } from '../../src/access/principal.ts';
import { createTools } from '../../src/tools/registry.ts';
import type { ToolCaller } from '../../src/tools/tool.ts';
import { makeWorld } from '../support/world.ts';

const RUNS = 25;

function everything(): ToolCaller {
  const actor = { kind: 'ai', userId: 'u1', name: 'Ada', email: 'ada@example.org', aiModel: 'client' } as const;
  const principal = { ...ANONYMOUS, kind: 'token', userId: 'u1', tokenId: 't1' } as const;
  const permissions = new Set(PERMISSIONS);
  const { signal } = new AbortController();
  return { principal: { ...principal, permissions }, actor, via: 'mcp', publishedOnly: false, signal };
}

const strange = fc.oneof(
  fc.anything({ maxDepth: 2, withBigInt: false }),
  fc.constantFrom('posts', 'hello', '', '__proto__', '../posts', '\u0000', '\ud800', -1, 2 ** 60, null, [], {}),
  fc.record({ title: fc.string({ unit: 'binary' }), body: fc.string({ unit: 'grapheme' }) }),
);

test('any input of any tool is answered, or refused with what to do next', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello' } });
  const tools = createTools({ site: world.site(), mediaUrl: (slug) => `/uploads/${slug}` });
  for (const { name, input } of tools.all) {
    const keys = Object.fromEntries(Object.keys(input.shape).map((key) => [key, strange]));
    const known = fc.record({ ...keys, collection: fc.constantFrom('posts', 'nowhere') }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(fc.oneof(known, fc.record(keys, { requiredKeys: [] }), strange), async (given) => {
        const outcome = await tools.call(name, given, everything());
        if ('refusal' in outcome) assert.ok(outcome.refusal.next.length > 5, `${name} ${outcome.refusal.code}`);
        else JSON.stringify(outcome.value);
      }),
      { numRuns: RUNS },
    );
  }
});

test('a text is stored as it was given', async () => {
  await using world = await makeWorld();
  const tools = createTools({ site: world.site(), mediaUrl: (slug) => `/uploads/${slug}` });
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (body) => {
      const data = { title: 'Any', body };
      const made = await tools.call('create_document', { collection: 'posts', data }, everything());
      if ('refusal' in made) throw new Error(`${made.refusal.error}: ${JSON.stringify(body)}`);
      const { slug, collection } = made.value.document as { slug: string; collection: string };
      const read = await tools.call('get_document', { collection, slug }, everything());
      assert.equal((read as { value: { document: { data: object } } }).value.document.data, data);
    }),
    { numRuns: RUNS },
  );
});

test.run();
