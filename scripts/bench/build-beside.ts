// How long requests take while a site of 10,000 posts is built by the service that answers them, compared with the same
// requests when nothing is built.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { alternate, type Bench } from './bench.ts';
import { makePosts, plantPosts } from './blog.ts';
import { type Service, startService } from './service.ts';
import { type BenchRow, toRow } from './table.ts';

const POSTS = 10_000;
const BAR = 2;
/** Clients, and how long each waits between two requests. */
const CLIENTS = 8;
const PAUSE_MS = 10;
const IDLE_MS = 8000;
const SECRET = 'a-secret-of-the-benchmark';

export async function* buildBeside(bench: Bench): AsyncGenerator<BenchRow> {
  const folder = path.join(bench.folder, 'build-beside');
  bench.progress(`write ${POSTS} posts`);
  await plantPosts(folder, makePosts(POSTS));
  const service = await startService({
    dataDir: path.join(folder, 'data'),
    configPath: path.join(folder, 'cms.config.json'),
  });
  try {
    // The site is built, and then no server is there to take it.
    await post(service, '/api/admin/site-config', {
      deployProvider: 'fly-live',
      syncUrl: 'http://127.0.0.1:9',
      syncSecret: SECRET,
    });
    const found = await alternate(bench, {
      building: () => whileBuilding(service, path.join(folder, 'data/sites/default')),
      idle: () => p99Of(service, later(IDLE_MS)),
    });
    yield toRow({
      figure: `p99 of reads while ${POSTS} posts are built`,
      unit: 'ms',
      values: found.building,
      reference: 'nothing is built',
      references: found.idle,
      bars: [{ atMost: BAR }],
    });
  } finally {
    await service.kill();
  }
  fs.rmSync(folder, { recursive: true, force: true });
}

async function whileBuilding(service: Service, siteFolder: string): Promise<number> {
  // Nothing is known of an earlier build.
  for (const name of ['build', 'builds']) fs.rmSync(path.join(siteFolder, name), { recursive: true, force: true });
  const { deploy } = (await post(service, '/api/admin/deploy', {})) as { deploy: { id: string } };
  return p99Of(service, untilBuilt(service, deploy.id));
}

async function untilBuilt(service: Service, id: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${service.url}/api/admin/deploys/${id}`, { headers: service.headers });
    const { status, error } = (await answer.json()) as { status: string; error: string | null };
    if (status === 'queued' || status === 'building') await later(100);
    else if (/theme|build/.test(error ?? '')) throw new Error(`the build failed: ${error}`);
    else return;
  }
}

/** Documents and pages of a list, by clients that pause after each. */
async function p99Of({ url, headers }: Service, until: Promise<unknown>): Promise<number> {
  let isOver = false;
  const ended = until.finally(() => (isOver = true));
  const times: number[] = [];
  const client = async (_: unknown, number: number): Promise<void> => {
    for (let count = number; !isOver; count += CLIENTS) {
      const target =
        count % 2 ? `/api/cms/posts/doc-${count % POSTS}` : `/api/cms/posts?limit=20&offset=${count % POSTS}`;
      const startMs = performance.now();
      const answer = await fetch(url + target, { headers });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${target}: ${answer.status}`);
      times.push(performance.now() - startMs);
      await later(PAUSE_MS);
    }
  };
  await Promise.all([ended, ...Array.from({ length: CLIENTS }, client)]);
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)]!;
}

async function post({ url, headers }: Service, target: string, body: object): Promise<unknown> {
  const answer = await fetch(url + target, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${target}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
