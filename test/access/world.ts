// A fresh data folder, a clock that stands still, and the routes behind a stand-in for http: it identifies or
// authenticates, checks `allow`, parses and answers.
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Access, type AccessOptions, createAccess } from '../../src/access/access.ts';
import { createPasswords } from '../../src/access/passwords/passwords.ts';
import type { Principal, Role } from '../../src/access/principal.ts';
import { accessRoutes } from '../../src/access/routes.ts';
import { cookieName } from '../../src/access/sessions/cookie.ts';
import type { SiteEntry } from '../../src/access/sites/sites.ts';
import type { Call, Route } from '../../src/http/route.ts';
import { invalid, type Problem, ServiceError } from '../../src/lib/errors.ts';

export const PASSWORD = 'correct horse';
export const DEFAULT_SITE: SiteEntry = {
  id: 'default',
  org: 'default',
  configPath: '/srv/cms.config.ts',
  hosts: [],
  default: true,
};

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into bodies
  body: any;
  headers: Record<string, string | string[]>;
  /** `cms-session=...` to send back, if the answer sets one. */
  cookie: string | undefined;
  /** The same for `cms-device`. */
  device: string | undefined;
}

export interface Sent {
  body?: unknown;
  cookie?: string | undefined;
  bearer?: string;
  headers?: IncomingHttpHeaders;
  ip?: string;
  host?: string;
}

export interface World extends AsyncDisposable {
  dataDir: string;
  /** The folder for configurations of sites that are added over HTTP; empty at first. */
  sitesDir: string;
  access: Access;
  logged: { details: object; message: string }[];
  opened: SiteEntry[];
  problems: Problem[];
  advance(ms: number): void;
  now(): Date;
  /** Opens the same data folder again, as after a restart. */
  restart(): Access;
  send(method: string, path: string, sent?: Sent): Promise<Reply>;
  /** Sets up the first admin and returns the cookie. */
  setUp(): Promise<string>;
  /** Adds a user with PASSWORD and returns id and cookie. */
  addUser(user: { email: string; role: Role; sites?: '*' | string[] }): Promise<{
    id: string;
    cookie: string;
  }>;
}

export function makeWorld({
  linkBase = 'https://cms.example/admin',
  ...options
}: Partial<AccessOptions> & { linkBase?: string } = {}): World {
  const dataDir = mkdtempSync(join(tmpdir(), 'access-'));
  const sitesDir = mkdtempSync(join(tmpdir(), 'access-sites-'));
  let time = Date.parse('2026-01-02T03:04:05.000Z');
  let count = 0;
  const logged: World['logged'] = [];
  const opened: SiteEntry[] = [];
  const problems: Problem[] = [];

  const open = () =>
    createAccess({
      dataDir,
      defaultSite: DEFAULT_SITE,
      sitesDir,
      checkConfig: async () => problems,
      now: () => new Date(time),
      logger: { info: (details, message) => void logged.push({ details, message }) },
      passwords: createPasswords({ memoryKib: 64, passes: 1 }),
      newId: () => `id${++count}`,
      ...options,
    });
  const toRoutes = (access: Access): Route[] =>
    accessRoutes(access, {
      requestOf: ({ ctx }) => ({ method: ctx.method, headers: ctx.headers, ip: ctx.ip, host: ctx.host }),
      linkBase: () => linkBase || undefined,
      siteOpened: async (site) => void opened.push(site),
    });
  let access = open();
  let routes = toRoutes(access);

  async function send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    const headers: IncomingHttpHeaders = { ...sent.headers };
    if (sent.cookie !== undefined) headers.cookie = sent.cookie;
    if (sent.bearer !== undefined) headers.authorization = `Bearer ${sent.bearer}`;
    // A set-up is open only to this machine.
    const host = sent.host ?? (path === '/api/auth/setup' ? 'localhost:3010' : 'cms.example');
    headers.host ??= host;
    const ctx = { method, headers, ip: sent.ip ?? '192.0.2.1', host };
    try {
      const [pathname = '', search = ''] = path.split('?');
      const { route, params } = find(routes, method, pathname);
      const asked = Object.fromEntries(new URLSearchParams(search));
      const principal = route.allow === 'public' ? access.identify(ctx) : access.authenticate(ctx);
      admit(route, principal);
      const call = {
        ctx,
        params,
        principal,
        query: () => parse(route.query, asked),
        bytes: async () => Buffer.from(JSON.stringify(sent.body ?? null)),
        body: async () => parse(route.body, sent.body),
      };
      const {
        status = 200,
        body,
        headers: answered = {},
      } = await route.handle(call as unknown as Call<unknown, unknown, unknown>);
      const cookies = [answered['Set-Cookie'] ?? []].flat().map((line) => line.split(';')[0]);
      const [cookie, device] = ['session', 'device'].map((name) =>
        cookies.find((one) => one?.replace(/^__Host-/, '').startsWith(`cms-${name}=`)),
      );
      return { status, body, headers: answered, cookie, device };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { status, code, details, headers } = error;
      return { status, body: { error: error.message, code, details }, headers, cookie: undefined, device: undefined };
    }
  }

  return {
    dataDir,
    sitesDir,
    get access() {
      return access;
    },
    logged,
    opened,
    problems,
    advance: (ms) => void (time += ms),
    now: () => new Date(time),
    restart() {
      access = open();
      routes = toRoutes(access);
      return access;
    },
    send,
    async setUp() {
      const body = { email: 'ada@example.com', password: PASSWORD, name: 'Ada' };
      const { cookie } = await send('POST', '/api/auth/setup', { body });
      if (!cookie) throw new Error('set-up gave no cookie');
      return cookie;
    },
    async addUser({ email, role, sites = '*' }) {
      const { user } = await access.users.add({
        email,
        name: email.split('@')[0] ?? '',
        role,
        sites,
        password: PASSWORD,
      });
      const client = { address: '192.0.2.7', userAgent: 'test' };
      const isSecure = access.publicOrigin?.startsWith('https:') ?? false;
      return { id: user.id, cookie: `${cookieName('session', isSecure)}=${await access.sessions.begin(user, client)}` };
    },
    async [Symbol.asyncDispose]() {
      await access.close();
      for (const folder of [dataDir, sitesDir]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function find(routes: Route[], method: string, path: string): { route: Route; params: Record<string, string> } {
  for (const route of routes) {
    const pattern = new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const match = pattern.exec(path);
    if (match && route.method === method.toLowerCase()) return { route, params: { ...match.groups } };
  }
  throw new Error(`no route ${method} ${path}`);
}

function admit({ allow }: Route, principal: Principal): void {
  if (allow === 'public') return;
  const isAdmitted = allow === 'session' ? principal.kind === 'session' : /^(session|token)$/.test(principal.kind);
  if (!isAdmitted) throw new ServiceError('unauthenticated', 'no');
  if (typeof allow !== 'string' || allow === 'session' || allow === 'token' || allow === 'service') return;
  if (!principal.permissions.has(allow)) throw new ServiceError('forbidden', 'no');
}

function parse(schema: Route['body'], given: unknown): unknown {
  const parsed = schema?.safeParse(given ?? {});
  if (!parsed) return given;
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
}

/** The code that `work` is refused with; undefined if it succeeds. */
export async function refusalOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}
