// External commits of many files: how long applying them holds up other requests, from the look that finds them until
// history, search and the event streams have them.
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { StallRequest, StallTarget } from './stall-requests.ts';

/** History and search follow after the views. */
const FOLLOW_MS = 3000;
const LOOK_MS = 20;
const LIMIT_MS = 120_000;

type Target = Pick<StallTarget, 'url' | 'headers' | 'isQuick'> & { repository: string };

interface Reply {
  status: number;
  text: string;
}

export function externalCommits({ url, headers, isQuick, repository }: Target): StallRequest[] {
  const count = isQuick ? 500 : 10_000;
  const pathOf = (slug: string): string => `content/posts/${slug}.json`;
  const removed = (slug: string): string => `D ${pathOf(slug)}\n`;

  function fileOf(i: number, slug: string, title: string): string {
    const at = new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString();
    const head = {
      id: `X${String(i).padStart(11, '0')}`,
      slug,
      collection: 'posts',
      status: 'published',
    };
    const doc = { ...head, createdAt: at, updatedAt: at, data: { title, body: `${title} `.repeat(100) } };
    const text = `${JSON.stringify(doc, null, 2)}\n`;
    return `M 100644 inline ${pathOf(slug)}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  }

  /** Makes one commit; returns the time until a read shows the last of its documents. */
  async function commit(lineOf: (i: number) => string, lastSlug: string, isSeen: (reply: Reply) => boolean) {
    const at = Math.floor(Date.now() / 1000);
    const head = `commit refs/heads/main\ncommitter Bench <bench@localhost> ${at} +0000\ndata 6\nbeside\nfrom refs/heads/main^0\n`;
    const input = head + Array.from({ length: count }, (_, i) => lineOf(i)).join('');
    // A separate process, so that the time begins when git has moved the branch.
    const { status, stderr } = spawnSync('git', ['-C', repository, 'fast-import', '--quiet'], { input });
    if (status !== 0) throw new Error(String(stderr));
    const startedMs = performance.now();
    for (;;) {
      const response = await fetch(`${url}/api/cms/posts/${lastSlug}`, { headers });
      if (isSeen({ status: response.status, text: await response.text() })) break;
      if (performance.now() - startedMs > LIMIT_MS)
        throw new Error(`${lastSlug} is not as committed: ${response.status}`);
      await delay(LOOK_MS);
    }
    const seenMs = performance.now() - startedMs;
    await delay(FOLLOW_MS);
    return `${count} files, seen after ${seenMs.toFixed(0)} ms`;
  }

  const old = (i: number): string => `external-${i}`;
  const moved = (i: number): string => `moved-${i}`;
  const copied = (i: number): string => `copied-${i}`;
  /** A document that comes with the copies, which are not shown. */
  const last = (): string => fileOf(count, 'not-copied', 'own');
  const shows =
    (title: string) =>
    ({ status, text }: Reply) =>
      status === 200 && text.includes(`"title":"${title}"`);
  const rows: [string, (i: number) => string, string, (reply: Reply) => boolean][] = [
    ['adds', (i) => fileOf(i, old(i), 'new'), old(count - 1), shows('new')],
    ['changes', (i) => fileOf(i, old(i), 'changed'), old(count - 1), shows('changed')],
    ['copies', (i) => (i === 0 ? last() : '') + fileOf(i, copied(i), 'copied'), 'not-copied', shows('own')],
    [
      'removes copies of',
      (i) => (i === 0 ? removed('not-copied') : '') + removed(copied(i)),
      'not-copied',
      ({ status }) => status === 404,
    ],
    ['renames', (i) => removed(old(i)) + fileOf(i, moved(i), 'renamed'), moved(count - 1), shows('renamed')],
    ['removes', (i) => removed(moved(i)), moved(count - 1), ({ status }) => status === 404],
  ];
  return rows.map(([verb, lineOf, lastSlug, isSeen]) => ({
    name: `an external commit that ${verb} ${count.toLocaleString('en')} documents`,
    by: 'reader',
    run: () => commit(lineOf, lastSlug, isSeen),
  }));
}
