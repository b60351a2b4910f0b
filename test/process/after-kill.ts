// What a service that was killed serves after its next start.
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

/** Waits until git has the last answered write. That it takes a second at most is another test's matter. */
export async function untilFlushed(service: Service): Promise<void> {
  await eventually(async () => {
    const { text } = await service.client().get('/metrics');
    assert.match(text, /^colophon_unflushed_commits\{[^}]*\} 0$/m);
  }, 20_000);
}
