// Writes something before a kill, for the next start to serve.
import * as assert from 'uvu/assert';
import type { Client } from '../support/client.ts';
import { eventually, type Service } from '../support/process.ts';
import type { Documents } from '../support/writers.ts';

export async function readAll(client: Client): Promise<Documents> {
  const { json } = await client.get('/api/cms/posts');
  assert.is(json.total, json.documents.length);
  return new Map(json.documents.map((doc: { slug: string; data: Record<string, unknown> }) => [doc.slug, doc.data]));
}

export async function checkReady(client: Client): Promise<void> {
  const ready = await client.get('/readyz');
  assert.is(ready.status, 200, ready.text);
  assert.equal(ready.json, { ok: true, problems: [], warnings: [] });
}

export async function createShared(client: Client, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const reply = await client.post('/api/cms/posts', { slug: `shared-${n}`, data: { title: `Shared ${n}` } });
    assert.is(reply.status, 200, reply.text);
  }
}

/** Waits until git has the last answered write. Another test checks that this takes a second at most. */
export async function untilFlushed(service: Service): Promise<void> {
  await eventually(async () => {
    const { text } = await service.client().get('/metrics');
    assert.match(text, /^colophon_unflushed_commits\{[^}]*\} 0$/m);
  }, 20_000);
}
