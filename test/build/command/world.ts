// A site with builds by commands: the whole service, and a log that keeps what a build prints.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildRequest, BuiltSite } from '../../../src/build/build.ts';
import { type BuildSandboxParts, createBuildSandbox } from '../../../src/build/sandbox/sandbox.ts';
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

export interface BuildWorldOptions extends WorldOptions {
  parts?: Partial<BuildsParts>;
  sandbox?: Partial<BuildSandboxParts>;
}

export async function makeBuildWorld(
  build: BuildConfig,
  { starter, parts = {}, sandbox = {}, ...options }: BuildWorldOptions = {},
): Promise<BuildWorld> {
  const world = await makeWorld({
    ...options,
    ...(starter ? { starter } : {}),
    config: { ...(options.config ?? CONFIG), build },
  });
  const site = world.site();
  let printed = '';
  const siteFolder = join(world.dataDir, 'sites', site.id);
  const variables = parts.variables ?? { PATH: process.env.PATH };
  const warn = (message: string): void => void world.logged.push({ warned: message });
  const all: BuildsParts = {
    ...{ siteId: site.id, folder: siteFolder, config: site.config },
    ...{ store: site.store, view: site.view, warnings: site.warnings },
    urls: () => ({ url: 'https://cms.example', adminUrl: 'https://cms.example/admin' }),
    variables,
    // Unconfined only on a machine without bwrap.
    sandbox: createBuildSandbox({
      ...{ variables, wantsNetwork: false, isUnconfined: true, paths: [], hidden: [world.dataDir], warn },
      ...sandbox,
    }),
    findOutsider: () => undefined,
    buildStatic: () => Promise.reject(new Error('no static builder here')),
    findRedirects: () => Promise.resolve([]),
    warn,
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
