// The service with a site to clone and to push to, and git as its users have it: clones in separate folders.
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Permission } from '../../src/access/principal.ts';
import type { Resource } from '../../src/access/scope.ts';
import { makeWorld, type World, type WorldOptions } from '../support/world.ts';

/** How a git command ended. */
export interface Ran {
  ok: boolean;
  stdout: string;
  /** The text that git shows to the user. */
  stderr: string;
}

export interface Clone {
  readonly folder: string;
  /** Fails if git fails. */
  git(...args: string[]): Promise<string>;
  run(...args: string[]): Promise<Ran>;
  /** Writes files (null: removes them) and commits everything. Returns the commit. */
  commit(files: Record<string, string | null>, message?: string): Promise<string>;
  push(...args: string[]): Promise<Ran>;
  /** A push that must succeed. */
  pushed(...args: string[]): Promise<void>;
}

export interface GitWorld extends World {
  /** The bare repository of the default site. */
  readonly repository: string;
  token(permissions: Permission[], resources?: Resource[]): ReturnType<World['token']>;
  /** An access token of the admin. */
  secret(permissions?: Permission[], resources?: Resource[]): Promise<string>;
  /** The URL of a site's repository, with credentials. */
  address(token: string, site?: string): string;
  run(...args: string[]): Promise<Ran>;
  /** A new folder. */
  folder(name: string): string;
  clone(token?: string, ...args: string[]): Promise<Clone>;
  /** Quarantines of pushes, running or left over. */
  listIncoming(): string[];
}

/** Every permission that a push may need. */
const EVERYTHING: Permission[] = [
  'content:read',
  'content:write',
  'media:read',
  'media:write',
  'media:delete',
  'repository:write',
];

const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Grace',
  GIT_AUTHOR_EMAIL: 'grace@example.org',
  GIT_COMMITTER_NAME: 'Grace',
  GIT_COMMITTER_EMAIL: 'grace@example.org',
};

export function run(folder: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...ENV, ...env }, maxBuffer: 256 << 20 };
    execFile('git', ['-c', 'gc.auto=0', '-c', 'advice.detachedHead=false', ...args], options, (error, stdout, stderr) =>
      resolve({ ok: !error, stdout, stderr }),
    );
  });
}

/** The same with text on standard input; returns the bytes of its output. Rejects if git fails. */
export function runBytes(folder: string, args: readonly string[], input: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: ENV, maxBuffer: 256 << 20, encoding: 'buffer' as const };
    const child = execFile('git', args, options, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    child.stdin?.end(input);
  });
}

export async function makeGitWorld(options: WorldOptions = {}): Promise<GitWorld> {
  const scratch = mkdtempSync(join(tmpdir(), 'colophon-git-'));
  const world = await makeWorld(options);
  let folders = 0;

  async function secret(permissions: Permission[] = EVERYTHING, resources?: Resource[]) {
    const { headers } = await world.token(permissions, resources);
    return String(headers.authorization).replace('Bearer ', '');
  }

  const own = {
    get repository() {
      return world.site('default').store.repository;
    },
    secret,
    address: (token: string, site = 'default') => `http://x:${token}@127.0.0.1:${world.port}/git/${site}.git`,
    run: (...args: string[]) => run(scratch, args),
    folder(name: string) {
      const folder = join(scratch, `${name}-${++folders}`);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    async clone(token?: string, ...args: string[]): Promise<Clone> {
      const folder = own.folder('clone');
      const ran = await own.run('clone', '--quiet', ...args, own.address(token ?? (await secret())), folder);
      if (!ran.ok) throw new Error(`git clone: ${ran.stderr}`);
      return openClone(folder);
    },
    listIncoming() {
      const folder = join(own.repository, '..', 'incoming');
      return existsSync(folder) ? readdirSync(folder) : [];
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
  return Object.defineProperties(Object.create(world), Object.getOwnPropertyDescriptors(own)) as GitWorld;
}

export function openClone(folder: string): Clone {
  const clone: Clone = {
    folder,
    run: (...args) => run(folder, args),
    async git(...args) {
      const ran = await run(folder, args);
      if (!ran.ok) throw new Error(`git ${args.join(' ')}: ${ran.stderr}`);
      return ran.stdout.trim();
    },
    async commit(files, message = 'By hand') {
      for (const [path, text] of Object.entries(files)) {
        const file = join(folder, path);
        mkdirSync(dirname(file), { recursive: true });
        if (text === null) rmSync(file);
        else writeFileSync(file, text);
      }
      await clone.git('add', '--all');
      await clone.git('commit', '--quiet', '-m', message);
      return clone.git('rev-parse', 'HEAD');
    },
    push: (...args) => run(folder, ['push', 'origin', ...(args.length ? args : ['HEAD:main'])]),
    async pushed(...args) {
      const { ok, stderr } = await clone.push(...args);
      if (!ok) throw new Error(`git push: ${stderr}`);
    },
  };
  return clone;
}

/** The file of a document of `posts`, as the service writes it; `change` replaces some keys. */
export function postFile(slug: string, change: Record<string, unknown> = {}): string {
  const doc = {
    id: `A${hash('sha1', slug).slice(0, 11)}`,
    slug,
    collection: 'posts',
    status: 'draft',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    data: { title: slug },
    ...change,
  };
  return `${JSON.stringify(doc, null, 2)}\n`;
}
