// The quiet moment between two epochs: no client writes, git has everything, and the service shows just that.
import { createClient } from '../../test/support/client.ts';
import type { Documents } from './fold-log.ts';
import type { Violation } from './history.ts';
import { type Lives, pause } from './service.ts';
import { digestOf } from './timeline.ts';
import { readBlobs, readTree } from './witness.ts';

const FLUSH_MS = 15_000;

/** Waits until git has everything that was answered, and the service everything that others have pushed. */
export async function untilFlushed(lives: Lives): Promise<void> {
  const client = createClient(await lives.serving());
  const until = performance.now() + FLUSH_MS;
  for (let quiet = 0; quiet < 5; ) {
    lives.check();
    const { text } = await client.get('/metrics');
    quiet = /^colophon_unflushed_commits\{[^}]*\} 0$/m.test(text) ? quiet + 1 : 0;
    if (performance.now() > until) throw new Error(`git is behind after ${FLUSH_MS} ms\n${text}`);
    await pause(250);
  }
  client.close();
}

export async function readDocuments(repository: string, head: string): Promise<Documents> {
  const tree = await readTree(repository, head);
  const docs = await readBlobs(repository, [...new Set(tree.values())]);
  return new Map([...tree].map(([place, blob]) => [place, { doc: docs.get(blob)!, blob }]));
}

/** While no client writes, the service shows the log's state to the byte, and reports that it is well. */
export async function checkQuiet(
  lives: Lives,
  cookie: string,
  collections: readonly string[],
  documents: ReadonlyMap<string, { doc: unknown }>,
): Promise<Violation[]> {
  const client = createClient(await lives.serving(), cookie);
  const violations: Violation[] = [];
  const shown = new Map<string, string>();
  for (const name of collections) {
    const { json } = await client.get(`/api/cms/${name}`);
    for (const doc of json.documents) shown.set(`${name}/${doc.slug}`, digestOf(doc));
  }
  for (const place of new Set([...shown.keys(), ...documents.keys()])) {
    const doc = documents.get(place)?.doc as Parameters<typeof digestOf>[0] | undefined;
    if ((doc && digestOf(doc)) === shown.get(place)) continue;
    violations.push({ rule: 'wrong-answer', message: `${place} is not shown as it is in the log`, about: [place] });
  }
  const ready = await client.get('/readyz');
  if (ready.status !== 200 || ready.json.warnings.length)
    violations.push({ rule: 'failure', message: `not well in a quiet moment: ${ready.text}`, about: [] });
  client.close();
  return violations;
}
