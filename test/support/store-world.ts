// A store on a temporary folder, and git to look at what it wrote.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nodeDisk } from '../../src/store/disk/disk.ts';
import type { Oid } from '../../src/store/git/objects.ts';
import type { Appended, Draft } from '../../src/store/log/log.ts';
import { removePacks } from '../../src/store/repository/pack-files.ts';
import type { Readers } from '../../src/store/repository/readers.ts';
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts';
import { eventually } from './process.ts';

/** Far more than it needs, for a busy machine. */
const TAKEN_IN_MS = 30_000;

export const AT = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Files to their text, or null to remove them. */
export function draft(files: Record<string, string | Buffer | null>, more: Partial<Draft> = {}): Draft {
  return {
    files: Object.entries(files).map(([file, text]) => ({
      path: file,
      content: text === null ? null : Buffer.from(text),
    })),
    author: { name: 'Ada', email: 'ada@example.com' },
    at: AT,
    subject: 'posts/hello: update',
    trailers: ['Event: document.updated'],
    apply: () => undefined,
    undo: () => undefined,
    ...more,
  };
}

export function append(
  store: Store,
  files: Record<string, string | Buffer | null>,
  more: Partial<Draft> = {},
): Appended {
  return store.log.append(draft(files, more));
}

/** Resolves once the change is durable. */
export function write(
  store: Store,
  files: Record<string, string | Buffer | null>,
  more?: Partial<Draft>,
): Promise<Oid> {
  return append(store, files, more).durable;
}

export interface StoreWorld {
  folder: string;
  repository: string;
  warnings: string[];
  fatal: unknown[];
  open(options?: Partial<StoreOptions>): Store;
  /** Runs git on the repository and returns its output. */
  git(...args: string[]): string;
  /** The problems that `git fsck --strict` reports; empty for a good repository. */
  fsck(): string;
  [Symbol.asyncDispose](): Promise<void>;
}

export function makeStoreWorld(): StoreWorld {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-store-'));
  const repository = path.join(folder, 'content.git');
  const stores: Store[] = [];
  const world: StoreWorld = {
    folder,
    repository,
    warnings: [],
    fatal: [],
    open(options = {}) {
      const store = openStore({
        folder,
        pollMs: 0,
        warn: (message) => void world.warnings.push(message),
        onFatal: (error) => void world.fatal.push(error),
        ...options,
      });
      stores.push(store);
      return store;
    },
    git: (...args) => git(repository, ...args),
    fsck: () => fsck(repository),
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Developer',
  GIT_AUTHOR_EMAIL: 'developer@example.com',
  GIT_AUTHOR_DATE: '1767400000 +0000',
  GIT_COMMITTER_NAME: 'Developer',
  GIT_COMMITTER_EMAIL: 'developer@example.com',
  GIT_COMMITTER_DATE: '1767400000 +0000',
};

export function git(repository: string, ...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], {
    env: ENV,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function gitWithInput(repository: string, input: string | Buffer, ...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], {
    env: ENV,
    encoding: 'utf8',
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export function fsck(repository: string): string {
  return execFileSync('sh', ['-c', 'git -C "$0" fsck --strict --full 2>&1 || true', repository], {
    env: ENV,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((line) => line && !/^(notice: |dangling |Checking |unreachable )/.test(line))
    .join('\n');
}

/**
 * Commits files on top of a branch as a developer would, without a work tree; returns the commit. Throws if the branch
 * is not at `from`.
 */
export function commitBeside(
  repository: string,
  files: Record<string, string | null>,
  options: { parents?: string[]; ref?: string; message?: string; from?: string } = {},
): string {
  const { parents, ref = 'refs/heads/main', message = 'beside the service\n' } = options;
  const index = path.join(repository, `index-${process.pid}`);
  const env = { ...ENV, GIT_INDEX_FILE: index };
  const run = (input: string, ...args: string[]): string =>
    execFileSync('git', ['-C', repository, ...args], {
      env,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    }).trim();
  const tips = parents ?? [options.from ?? git(repository, 'rev-parse', ref).trim()];
  if (tips[0]) run('', 'read-tree', tips[0]);
  const lines = Object.entries(files).map(([file, text]) =>
    text === null ? `0 ${'0'.repeat(40)}\t${file}\n` : `100644 ${run(text, 'hash-object', '-w', '--stdin')}\t${file}\n`,
  );
  run(lines.join(''), 'update-index', '--index-info');
  const commit = run(message, 'commit-tree', run('', 'write-tree'), ...tips.flatMap((tip) => ['-p', tip]));
  fs.rmSync(index, { force: true });
  try {
    // As a push does: if the branch has moved meanwhile, the commit goes on top of its present tip.
    run('', 'update-ref', ref, commit, ...(parents ? [] : tips));
  } catch (error) {
    if (parents || options.from) throw error;
    return commitBeside(repository, files, options);
  }
  return commit;
}

export const NO_READERS: Readers = { look: async () => false, hasBegun: () => false };

/** Removes replaced packs at once. */
export function retireAtOnce(folder: string, onRemoved: () => void = () => undefined) {
  return {
    retire(names: readonly string[]) {
      removePacks(nodeDisk, folder, names);
      onRemoved();
    },
    has: () => false,
    removeAll: async () => undefined,
  };
}

/** Resolves once the service has read every commit of the branch, and the branch has every change of ours. */
export async function untilTakenIn({ log, repository }: Store): Promise<void> {
  // External commits are read in slices, so on a busy machine one look is not enough.
  await eventually(async () => {
    await log.flush();
    log.poll();
    const { gitHead, head, unflushed } = log.status();
    const branch = git(repository, 'rev-parse', 'main').trim();
    if (gitHead !== branch || head !== branch || unflushed > 0)
      throw new Error(`the service is at ${head} and ${gitHead}, the branch at ${branch}`);
  }, TAKEN_IN_MS);
}
