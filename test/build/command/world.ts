// A site with builds by commands: the whole service, and a log that keeps what a build prints.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildRequest, BuiltSite } from '../../../src/build/build.ts';
import { type BuildsParts, type OpenedBuilds, openBuilds } from '../../../src/build/service.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { CONFIG, makeWorld, type World, type WorldOptions } from '../../support/world.ts';

export interface BuildWorld extends AsyncDisposable {
  world: World;
  builds: OpenedBuilds;
  parts: BuildsParts;
  /** `<data>/sites/<id>/builds`. */
  folder: string;
  /** What builds printed. */
  printed(): string;
  build(request?: Partial<BuildRequest>): Promise<BuiltSite>;
  /** Creates a published document. */
  publish(slug: string, data?: object): Promise<void>;
}

type BuildConfig = NonNullable<SiteConfigInput['build']>;

export async function makeBuildWorld(
  build: BuildConfig,
  { starter, parts = {}, ...options }: WorldOptions & { parts?: Partial<BuildsParts> } = {},
): Promise<BuildWorld> {
  const world = await makeWorld({ ...options, ...(starter ? { starter } : {}), config: { ...CONFIG, build } });
  const site = world.site();
  let printed = '';
  const siteFolder = join(world.dataDir, 'sites', site.id);
  const all: BuildsParts = {
    ...{ siteId: site.id, folder: siteFolder, config: site.config },
    ...{ store: site.store, view: site.view, warnings: site.warnings },
    urls: () => ({ url: 'https://cms.example', adminUrl: 'https://cms.example/admin' }),
    variables: { PATH: process.env.PATH },
    buildStatic: () => Promise.reject(new Error('no static builder here')),
    findRedirects: () => Promise.resolve([]),
    warn: (message) => world.logged.push({ warned: message }),
    ...parts,
  };
  const builds = await openBuilds(all);
  return {
    ...{ world, builds, parts: all },
    folder: join(siteFolder, 'builds'),
    printed: () => printed,
    build: (request = {}) =>
      builds.build({
        isPreview: false,
        log: (text) => void (printed += text),
        signal: new AbortController().signal,
        ...request,
      }),
    async publish(slug, data = { title: slug }) {
      const body = { slug, data, status: 'published' };
      const { status, text } = await world.admin.post('/api/cms/posts', body);
      if (status >= 300) throw new Error(text);
    },
    async [Symbol.asyncDispose]() {
      await builds.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Paths of all files below a folder, sorted. */
export function listFiles(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return found.filter((name) => !statSync(join(folder, name)).isDirectory()).sort();
}

export function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8'));
}
