// The reference for writes: `git fast-import` on the same tree, one commit per change, pipelined, no checkpoint. So it
// is not durable before its end, and it does without what the service keeps: views, search, locks.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathOf, SHARDED } from '../../src/content/files/paths.ts';
import type { Bench } from './bench.ts';
import { createDocuments, createRandom, fileBatches, type Layout } from './documents.ts';

/** Contents are made before the clock runs, because making one costs as much as a write. */
const PREPARED = 1000;

export interface FastImport {
  /** Commits per second in one run; the clock stops when git has ended, because its branch has moved by then. */
  run(seconds: number): Promise<number>;
}

/** A separate repository with all documents in one commit. */
export async function createFastImport(bench: Bench, layout: Layout): Promise<FastImport> {
  const { count, sharded } = layout;
  const folder = path.join(bench.folder, `fast-import-${count}${sharded ? '-sharded' : ''}`);
  bench.progress(`plant ${count} documents with git fast-import`);
  fs.mkdirSync(folder, { recursive: true });
  spawnSync('git', ['init', '-q', '--bare', folder]);
  const documents = createDocuments();
  const contents = Array.from({ length: PREPARED }, (_, i) => documents.file(i));
  const random = createRandom(3);

  await feedGit(folder, async (feed) => {
    await feed(commitHead());
    for (const files of fileBatches(createDocuments(), layout)) {
      for (const file of files) await feed(fileLines(file.path, file.content!));
    }
  });
  return {
    async run(seconds) {
      let done = 0;
      const started = performance.now();
      await feedGit(folder, async (feed) => {
        for (; performance.now() - started < seconds * 1000; done++) {
          const slug = documents.slug(Math.floor(random() * count));
          const from = done === 0 ? 'from refs/heads/main^0\n' : '';
          const file = fileLines(
            pathOf({ collection: 'posts', slug }, sharded ? SHARDED : 0),
            contents[done % PREPARED]!,
          );
          await feed(Buffer.concat([Buffer.from(commitHead() + from), file]));
        }
      });
      return done / ((performance.now() - started) / 1000);
    },
  };
}

type Feed = (bytes: string | Buffer) => Promise<void>;

async function feedGit(folder: string, write: (feed: Feed) => Promise<void>): Promise<void> {
  const git = spawn('git', ['-C', folder, 'fast-import', '--quiet', '--force', '--done'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const closed = once(git, 'close');
  await write(async (bytes) => {
    if (!git.stdin.write(bytes)) await once(git.stdin, 'drain');
  });
  git.stdin.end('done\n');
  const [code] = await closed;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

function commitHead(): string {
  const at = Math.floor(Date.now() / 1000);
  return `commit refs/heads/main\ncommitter Bench <bench@localhost> ${at} +0000\ndata 6\nchange\n`;
}

function fileLines(file: string, content: Buffer): Buffer {
  const head = `M 100644 inline ${file}\ndata ${content.length}\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\n')]);
}
