// Git over HTTP in front of one site, with limits that a test can reach: `makeWorld` has the service's own limits.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { ANONYMOUS, type Principal } from '../../../src/access/principal.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import type { GitSite } from '../../../src/git/git-site.ts';
import { gitRoutes } from '../../../src/git/http/routes.ts';
import { createGitService, type GitLimits } from '../../../src/git/http/service.ts';
import { createHttp } from '../../../src/http/create-http.ts';
import { createPlaces, EVENT_STREAMS } from '../../../src/http/limits/places.ts';
import { createRateLimit } from '../../../src/http/limits/rate-limit.ts';
import { listen } from '../../../src/http/server.ts';
import { openSite } from '../../../src/sites/open-site.ts';
import type { Site } from '../../../src/sites/site.ts';
import { CONFIG } from '../../support/world.ts';
import { type Clone, openClone, run } from '../world.ts';

const WRITER: Principal = {
  ...ANONYMOUS,
  kind: 'token',
  userId: 'u1',
  permissions: new Set(['content:read', 'content:write', 'repository:write']),
};

export interface LimitedWorld extends AsyncDisposable {
  readonly folder: string;
  readonly site: Site;
  readonly port: number;
  /** The URL of the repository, with credentials. */
  readonly address: string;
  /** For requests written by hand. */
  readonly at: { port: number; path: string; token: string };
  readonly logged: Record<string, unknown>[];
  /** Clones the site's repository. */
  clone(): Promise<Clone>;
  listIncoming(): string[];
  /** The commit of the branch. */
  main(): string | null;
}

export async function makeLimitedWorld(
  limits: Partial<GitLimits> = {},
  change: Partial<Principal> = {},
  searchPath = process.env.PATH,
): Promise<LimitedWorld> {
  const writer = { ...WRITER, ...change };
  const folder = mkdtempSync(join(tmpdir(), 'colophon-git-'));
  const site = await openSite({
    id: 'main',
    org: 'default',
    config: parseConfig(CONFIG),
    folder: join(folder, 'site'),
  });
  const logged: Record<string, unknown>[] = [];
  const logger = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line)) });
  const service = createGitService({ searchPath, logger, limits });
  const http = createHttp<Site & GitSite>({
    routes: gitRoutes({
      service,
      // Any other token is another user's.
      identify: (token) => (token === 'token' ? writer : { ...writer, userId: token }),
      now: () => new Date(),
    }),
    authenticate: () => writer,
    identify: () => writer,
    resolveSite: () => Object.assign(site, { audit: { record: async () => undefined } }),
    isKnown: () => false,
    ready: () => ({ problems: [], warnings: [], unlisted: [], remotes: [] }),
    logger,
    metrics: new Registry(),
    version: '0',
    rateLimit: createRateLimit({ perMinute: 0 }),
    reserveStreamPlace: createPlaces(EVENT_STREAMS),
  });
  const listening = await listen(http.callback, { host: '127.0.0.1', port: 0 });
  const address = `http://x:token@127.0.0.1:${listening.port}/git/main.git`;
  let clones = 0;
  return {
    folder,
    site,
    port: listening.port,
    address,
    at: { port: listening.port, path: '/git/main.git', token: 'token' },
    logged,
    async clone() {
      const clone = join(folder, `clone-${++clones}`);
      const { ok, stderr } = await run(folder, ['clone', '--quiet', address, clone]);
      if (!ok) throw new Error(stderr);
      return openClone(clone);
    },
    listIncoming: () => readdirSync(join(folder, 'site', 'incoming')),
    main() {
      const file = join(site.store.repository, 'refs/heads/main');
      return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
    },
    async [Symbol.asyncDispose]() {
      await listening.close(0);
      service.close();
      await site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
