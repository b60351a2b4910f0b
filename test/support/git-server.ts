// A git host: `git http-backend` behind node:http, with Basic authentication, counters, and switches for what hosts do
// on bad days. It checks pushes with `receive.fsckObjects`, as the big hosts do.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from './git.ts';
import { startLfs } from './lfs-host.ts';

export type Service = 'git-upload-pack' | 'git-receive-pack';

export interface Seen {
  /** `GET info/refs` of one of the services, or the POST to it. */
  what: `${'refs' | 'post'} ${Service}` | 'other';
  authorization: string | undefined;
  at: number;
}

/** What the server does instead of answering; it answers if the result is `pass` or undefined. */
export type Mood = (seen: Seen, req: IncomingMessage, res: ServerResponse) => 'handled' | 'pass' | Promise<'pass'>;

export interface GitServer extends AsyncDisposable {
  /** URL of the repository, as a site's configuration has it. */
  readonly url: string;
  readonly origin: string;
  /** The bare repository that it serves. */
  readonly repository: string;
  readonly requests: Seen[];
  count(what: Seen['what']): number;
  /** Tests may replace it. */
  mood: Mood;
  /** Bytes of Git LFS, by their hash. */
  readonly objects: Map<string, Buffer>;
  /** The requests to Git LFS, such as `batch upload 100`, `put`, `get`, `verify`. */
  readonly transfers: string[];
  /** Bytes that another client has sent. */
  addObject(bytes: Buffer): void;
  /** Runs git on the repository. */
  git(...args: string[]): Promise<string>;
}

export interface GitServerOptions {
  /** Only clients that send this password get in, whatever the name. */
  token?: string;
  /** The host has Git LFS, and refuses pushes whose pointers name bytes that it does not have, as the big hosts do. */
  lfs?: boolean;
}

export async function startGitServer(options: GitServerOptions = {}): Promise<GitServer> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-host-'));
  const repository = join(folder, 'site.git');
  await git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', repository);
  // One write in place of five processes.
  appendFileSync(
    join(repository, 'config'),
    '[http]\n\treceivepack = true\n[receive]\n\tfsckObjects = true\n\tautogc = false\n[gc]\n\tauto = 0\n',
  );
  const lfs = startLfs(folder, repository, options.lfs === true);
  const requests: Seen[] = [];
  const children = new Set<{ kill(signal: 'SIGKILL'): unknown }>();

  const server = createServer((req, res) => {
    const seen: Seen = { what: whatIs(req), authorization: req.headers.authorization, at: performance.now() };
    requests.push(seen);
    void (async () => {
      if ((await host.mood(seen, req, res)) === 'handled') return;
      if (options.token !== undefined && passwordOf(req) !== options.token) {
        res.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('who are you?\n');
        return;
      }
      if (await lfs.answer(req, res, origin)) return;
      serve(folder, req, res, children);
    })().catch((error: Error) => res.destroy(error));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const host: GitServer = {
    url: `${origin}/site.git`,
    origin,
    repository,
    requests,
    objects: lfs.objects,
    transfers: lfs.transfers,
    addObject: lfs.add,
    count: (what) => requests.filter((seen) => seen.what === what).length,
    mood: () => 'pass',
    git: (...args) => git(repository, ...args),
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
  return host;
}

function whatIs(req: IncomingMessage): Seen['what'] {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://host');
  const service = pathname.endsWith('/info/refs')
    ? searchParams.get('service')
    : /git-[a-z]+-pack$/.exec(pathname)?.[0];
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack') return 'other';
  return `${pathname.endsWith('/info/refs') ? 'refs' : 'post'} ${service}`;
}

function passwordOf(req: IncomingMessage): string | undefined {
  const basic = /^Basic (.*)$/.exec(req.headers.authorization ?? '')?.[1];
  return (
    basic &&
    Buffer.from(basic, 'base64')
      .toString('utf8')
      .replace(/^[^:]*:/, '')
  );
}

/** CGI (RFC 3875): the request in the environment and on standard input, headers and body on standard output. */
function serve(
  root: string,
  req: IncomingMessage,
  res: ServerResponse,
  children: Set<{ kill(signal: 'SIGKILL'): unknown }>,
): void {
  const { pathname, search } = new URL(req.url ?? '/', 'http://host');
  const child = spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: req.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REMOTE_USER: 'developer',
      CONTENT_TYPE: req.headers['content-type'] ?? '',
      ...(req.headers['content-length'] ? { CONTENT_LENGTH: req.headers['content-length'] } : {}),
      ...(req.headers['content-encoding'] ? { HTTP_CONTENT_ENCODING: req.headers['content-encoding'] } : {}),
      ...(req.headers['git-protocol'] ? { GIT_PROTOCOL: String(req.headers['git-protocol']) } : {}),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  child.on('close', () => children.delete(child));
  // A git that ends before it has read everything reports the reason in its answer.
  child.stdin.on('error', () => req.resume());
  req.pipe(child.stdin);
  let head = Buffer.alloc(0);
  child.stdout.on('data', function onHead(chunk: Buffer) {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', onHead);
    for (const line of head.toString('latin1', 0, end).split('\r\n')) {
      const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(line) ?? [];
      if (name === 'Status') res.statusCode = Number.parseInt(value, 10);
      else res.setHeader(name, value);
    }
    res.write(head.subarray(end + 4));
    child.stdout.pipe(res);
  });
  child.on('close', () => {
    if (!res.headersSent) res.writeHead(500).end();
  });
}
