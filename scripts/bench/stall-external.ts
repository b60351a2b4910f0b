// Commits of many files that somebody else makes in the repository: how long taking them in holds up others, from the look
// that finds them until history, search and the event streams have them.
import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { StallRequest, StallTarget } from './stall-requests.ts';

/** History and search follow behind the views. */
const FOLLOW_MS = 3000;
const LOOK_MS = 20;

type Target = Pick<StallTarget, 'url' | 'headers' | 'isQuick'> & { repository: string };

export function externalCommits({ url, headers, isQuick, repository }: Target): StallRequest[] {
  const count = isQuick ? 500 : 10_000;
  const pathOf = (i: number): string => `content/posts/external-${i}.json`;

  function fileOf(i: number, title: string): string {
    const at = new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString();
    const head = {
      id: `X${String(i).padStart(11, '0')}`,
      slug: `external-${i}`,
      collection: 'posts',
      status: 'published',
    };
    const doc = { ...head, createdAt: at, updatedAt: at, data: { title, body: `${title} `.repeat(100) } };
    const text = `${JSON.stringify(doc, null, 2)}\n`;
    return `M 100644 inline ${pathOf(i)}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  }

  /** One commit, and the time until the last of its documents is read as it says. */
  async function commit(lineOf: (i: number) => string, isSeen: (status: number, text: string) => boolean) {
    const at = Math.floor(Date.now() / 1000);
    const head = `commit refs/heads/main\ncommitter Bench <bench@localhost> ${at} +0000\ndata 6\nbeside\nfrom refs/heads/main^0\n`;
    const input = head + Array.from({ length: count }, (_, i) => lineOf(i)).join('');
    const { status, stderr } = spawnSync('git', ['-C', repository, 'fast-import', '--quiet'], { input });
    if (status !== 0) throw new Error(String(stderr));
    const startedMs = performance.now();
    for (;;) {
      const response = await fetch(`${url}/api/cms/posts/external-${count - 1}`, { headers });
      if (isSeen(response.status, await response.text())) break;
      await delay(LOOK_MS);
    }
    const seenMs = performance.now() - startedMs;
    await delay(FOLLOW_MS);
    return `${count} files, seen after ${seenMs.toFixed(0)} ms`;
  }

  const shows = (title: string) => (status: number, text: string) =>
    status === 200 && text.includes(`"title":"${title}"`);
  return [
    {
      name: 'an external commit of 10,000 new documents',
      by: 'reader',
      run: () => commit((i) => fileOf(i, 'new'), shows('new')),
    },
    {
      name: 'an external commit that changes 10,000 documents',
      by: 'reader',
      run: () => commit((i) => fileOf(i, 'changed'), shows('changed')),
    },
    {
      name: 'an external commit that removes 10,000 documents',
      by: 'reader',
      run: () =>
        commit(
          (i) => `D ${pathOf(i)}\n`,
          (status) => status === 404,
        ),
    },
  ];
}
