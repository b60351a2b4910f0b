// The whole service on a temporary data folder: createApp behind a real socket on 127.0.0.1, a clock that stands still
// by default, and its log. For route tests of every capability.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Permission, Role } from '../../src/access/principal.ts';
import type { Resource } from '../../src/access/scope.ts';
import { type App, type AppParts, createApp } from '../../src/app.ts';
import { parseEnv } from '../../src/config/env.ts';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { type Listening, listen } from '../../src/http/server.ts';
import type { ServedSite } from '../../src/sites/open-operations.ts';
import { parseCommit, parseTrailers } from '../../src/store/git/objects.ts';

export const PASSWORD = 'correct horse';
export const SERVICE_SECRET = 'service-secret-of-the-tests-0123456789';
export const START = '2026-01-02T03:04:05.678Z';

export const CONFIG: SiteConfigInput = {
  defaultLocale: 'en',
  locales: ['en', 'de'],
  collections: [
    {
      name: 'posts',
      label: 'Posts',
      urlPrefix: '/blog',
      fields: [
        { name: 'title', type: 'text', required: true, maxLength: 40 },
        { name: 'body', type: 'richtext' },
        { name: 'rank', type: 'number', min: 0 },
        { name: 'tags', type: 'tags' },
        { name: 'mood', type: 'select', options: ['glad', 'grim'] },
        { name: 'stays', type: 'text', aiLock: { lockable: false } },
        { name: 'loose', type: 'text', aiLock: { autoLockOnEdit: false } },
        { name: 'seo', type: 'object', fields: [{ name: 'title', type: 'text', required: true }] },
      ],
    },
    { name: 'notes', access: { read: 'public' }, fields: [{ name: 'title', type: 'text' }] },
    { name: 'many', sharded: true, fields: [{ name: 'title', type: 'text' }] },
  ],
};

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into by the tests
  json: any;
}

type Headers = Record<string, string | string[]>;

/** Requests with the same credentials. An object body is sent as JSON; a string or Buffer unchanged, also as JSON. */
export interface Client {
  headers: Headers;
  request(method: string, path: string, body?: unknown, headers?: Headers): Promise<Reply>;
  get(path: string, headers?: Headers): Promise<Reply>;
  head(path: string, headers?: Headers): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Headers): Promise<Reply>;
  put(path: string, body?: unknown, headers?: Headers): Promise<Reply>;
  patch(path: string, body?: unknown, headers?: Headers): Promise<Reply>;
  delete(path: string, headers?: Headers): Promise<Reply>;
}

/** One commit of the log. */
export interface LoggedEvent {
  commit: string;
  subject: string;
  author: string;
  trailers: Record<string, string>;
}

export interface World extends AsyncDisposable {
  dataDir: string;
  url: string;
  port: number;
  app: App;
  /** The only site, or the one with this id. */
  site(id?: string): ServedSite;
  /** Undefined without `admin`. */
  admin: Client;
  anonymous: Client;
  client(headers: Headers): Client;
  /** A user with PASSWORD, signed in. */
  user(role: Role, sites?: '*' | string[]): Promise<Client>;
  /** A client with an access token of the admin. */
  token(permissions: Permission[], resources?: Resource[]): Promise<Client>;
  /** Moves the clock forward by this much time. */
  advance(ms: number): void;
  /** Sets the wall clock: it is off by this much, and no time passes. */
  setClock(offByMs: number): void;
  /** The newest commit that is durable. */
  headCommit(site?: string): string | null;
  /** The whole log, oldest first. */
  events(site?: string): Promise<LoggedEvent[]>;
  /** The result of `work`, and the commits that it made. */
  appended<T>(work: () => Promise<T>, site?: string): Promise<{ result: T; events: LoggedEvent[] }>;
  /** Closes the service and opens it on the same data folder; with `forget`, without what it has saved of its views. */
  restart(change?: { config?: SiteConfigInput; forget?: boolean }): Promise<void>;
  /** Log lines so far. */
  logged: Record<string, unknown>[];
}

export interface WorldOptions {
  config?: SiteConfigInput;
  /** More sites than the `default` one. */
  sites?: Record<string, SiteConfigInput>;
  /** `real`, or the time at which the clock stands still; START if absent. */
  now?: 'real' | string;
  env?: Record<string, string>;
  /** Variables that the configuration names. */
  variables?: Record<string, string>;
  /** False: no user is signed in, and set-up is open. */
  admin?: boolean;
  /** Files next to the configuration: path to text. */
  starter?: Record<string, string>;
  /** Hosts and builds in place of the real ones. */
  findProvider?: AppParts['findProvider'];
  builds?: AppParts['builds'];
  /** Puts something into the data folder before the first start. */
  prepare?(dataDir: string): void;
}

export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), 'colophon-'));
  const dataDir = join(root, 'data');
  let clockMs = Date.parse(options.now === undefined || options.now === 'real' ? START : options.now);
  let offByMs = 0;
  const now = options.now === 'real' ? () => new Date() : () => new Date(clockMs + offByMs);
  const elapsedMs = options.now === 'real' ? () => performance.now() : () => clockMs;
  const agent = new Agent({ keepAlive: true });
  const logged: Record<string, unknown>[] = [];
  const logger = pino({ base: null, level: 'debug' }, { write: (line) => void logged.push(JSON.parse(line)) });

  const writeConfig = (id: string, config: SiteConfigInput): string => writeConfigIn(join(root, 'configs', id), config);

  const configPath = writeConfig('default', options.config ?? CONFIG);
  writeStarter(join(root, 'configs', 'default'), options.starter ?? {});

  options.prepare?.(dataDir);
  let app: App;
  let listening: Listening;
  async function start(): Promise<void> {
    const env = parseEnv({
      CMS_DATA_DIR: dataDir,
      CMS_CONFIG_PATH: configPath,
      CMS_SITES_DIR: join(root, 'configs'),
      CMS_SERVICE_SECRET: SERVICE_SECRET,
      // The clock stands still: tests start themselves what it would start.
      CMS_SCHEDULER: 'off',
      PORT: '0',
      ...options.env,
    });
    const onFatal = (error: unknown): void => void logged.push({ fatal: String(error) });
    const { variables = {}, findProvider, builds } = options;
    app = await createApp({ env, logger, now, elapsedMs, onFatal, variables, findProvider, builds });
    listening = await listen(app.http.callback, { host: '127.0.0.1', port: 0 });
  }
  async function stop(): Promise<void> {
    await listening.close(2000);
    await app.close();
  }

  const client = createClients(agent, () => listening.port);

  function signedIn({ headers }: Reply): Client {
    const cookie = headers['set-cookie']?.[0]?.split(';')[0];
    if (!cookie) throw new Error('the answer set no cookie');
    return client({ cookie });
  }

  await start();
  const anonymous = client({});
  let admin = anonymous;
  let users = 0;
  if (options.admin !== false) {
    const ada = { email: 'ada@example.com', password: PASSWORD, name: 'Ada' };
    admin = signedIn(await must(anonymous.post('/api/auth/setup', ada)));
  }
  for (const [id, config] of Object.entries(options.sites ?? {})) {
    await must(admin.post('/api/admin/sites', { id, configPath: writeConfig(id, config) }));
  }

  const world: World = {
    dataDir,
    get url() {
      return listening.url;
    },
    get port() {
      return listening.port;
    },
    get app() {
      return app;
    },
    site(id) {
      const found = app.sites().find((site) => id === undefined || site.id === id);
      if (!found) throw new Error(`no site ${id}`);
      return found;
    },
    admin,
    anonymous,
    client,
    async user(role, sites = '*') {
      const email = `${role}${++users}@example.com`;
      await must(admin.post('/api/admin/users', { email, name: role, role, sites, password: PASSWORD }));
      return signedIn(await must(anonymous.post('/api/auth/login', { email, password: PASSWORD })));
    },
    async token(permissions, resources) {
      const body = { name: 'test', permissions, ...(resources ? { resources } : {}) };
      const { json } = await must(admin.post('/api/admin/access-tokens', body));
      return client({ authorization: `Bearer ${json.token}` });
    },
    advance: (ms) => void (clockMs += ms),
    setClock: (ms) => void (offByMs = ms),
    headCommit: (id) => world.site(id).store.log.status().head,
    async events(id) {
      const { store } = world.site(id);
      await store.log.flush();
      return readLog(store, store.log.status().gitHead, null);
    },
    async appended(work, id) {
      const before = world.headCommit(id);
      const result = await work();
      const { store } = world.site(id);
      await store.log.flush();
      return { result, events: readLog(store, store.log.status().gitHead, before) };
    },
    async restart(change = {}) {
      await stop();
      if (change.forget) rmSync(join(dataDir, 'sites', 'default', 'index'), { recursive: true });
      if (change.config) writeConfig('default', change.config);
      await start();
    },
    logged,
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return world;
}

/** Commits after `until`, oldest first, along first parents. */
function readLog({ odb }: ServedSite['store'], head: string | null, until: string | null): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  for (let commit = head; commit && commit !== until; ) {
    const { message, author, parents } = parseCommit(odb.get(commit, 'commit'));
    const trailers = Object.fromEntries(parseTrailers(message));
    events.push({
      commit,
      subject: message.split('\n')[0] ?? '',
      author: `${author.name} <${author.email}>`,
      trailers,
    });
    commit = parents[0] ?? null;
  }
  return events.reverse();
}

/** Clients of one service; `portOf` is asked for each request, because a service that is restarted has another port. */
function createClients(agent: Agent, portOf: () => number): (own: Headers) => Client {
  function send(method: string, path: string, body: unknown, headers: Headers): Promise<Reply> {
    const bytes =
      body === undefined || Buffer.isBuffer(body)
        ? (body as Buffer | undefined)
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const type = bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length };
    return new Promise((resolve, reject) => {
      const port = portOf();
      const req = httpRequest({ agent, host: '127.0.0.1', port, method, path, headers: { ...type, ...headers } });
      req.on('error', reject);
      req.on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = String(res.headers['content-type']).startsWith('application/json') && text !== '';
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            text,
            json: isJson ? JSON.parse(text) : undefined,
          });
        });
      });
      req.end(bytes);
    });
  }

  return function client(own: Headers): Client {
    const request: Client['request'] = (method, path, body, headers = {}) =>
      send(method, path, body, { ...own, ...headers });
    return {
      headers: own,
      request,
      get: (path, headers) => request('GET', path, undefined, headers),
      head: (path, headers) => request('HEAD', path, undefined, headers),
      post: (path, body, headers) => request('POST', path, body, headers),
      put: (path, body, headers) => request('PUT', path, body, headers),
      patch: (path, body, headers) => request('PATCH', path, body, headers),
      delete: (path, headers) => request('DELETE', path, undefined, headers),
    };
  };
}

/** The reply to a request that must succeed. */
async function must(reply: Promise<Reply>): Promise<Reply> {
  const got = await reply;
  if (got.status >= 300) throw new Error(`${got.status} ${got.text}`);
  return got;
}

/** Returns its path. */
function writeConfigIn(folder: string, config: SiteConfigInput): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cms.config.json'), JSON.stringify(config));
  return join(folder, 'cms.config.json');
}

function writeStarter(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
}
