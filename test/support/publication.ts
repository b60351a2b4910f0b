// A site to publish, and the context of a deploy, for tests of the hosts' clients. Waits take no time.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  DeployProvider,
  ProviderContext,
  Publication,
  PublishedDeploy,
} from '../../src/deploy/providers/provider.ts';
import { SiteSettings } from '../../src/settings/settings.ts';
import { fetchHost } from './host-fetch.ts';

export interface DeployBench extends AsyncDisposable {
  folder: string;
  lines: string[];
  /** How long the deploys have waited, in all. */
  waitedMs(): number;
  context(settings: Partial<SiteSettings>, parts?: Partial<ProviderContext>): ProviderContext;
  publication(texts: Record<string, string | Buffer>): Promise<Publication>;
}

export async function makeDeployBench(): Promise<DeployBench> {
  const folder = await mkdtemp(path.join(tmpdir(), 'colophon-deploy-'));
  const lines: string[] = [];
  const memory = new Map<string, unknown>();
  let waitedMs = 0;
  let count = 0;
  return {
    folder,
    lines,
    waitedMs: () => waitedMs,
    context(settings, parts = {}) {
      return {
        settings: { ...SiteSettings.parse({}), ...settings },
        fetch: fetchHost,
        outbound: { request: () => Promise.reject(new Error('no deploy hook here')) },
        async delay(ms, signal) {
          signal.throwIfAborted();
          waitedMs += ms;
        },
        now: () => new Date(Date.now() + waitedMs),
        signal: new AbortController().signal,
        log: (line) => void lines.push(line),
        progress: () => undefined,
        cacheFolder: path.join(folder, 'cache'),
        resume: {
          get: () => memory.get('resume'),
          set: async (value) => void memory.set('resume', value),
        },
        ...parts,
      };
    },
    async publication(texts) {
      const site = path.join(folder, `site-${++count}`);
      const files: Publication['files'][number][] = [];
      for (const [name, text] of Object.entries(texts)) {
        const file = path.join(site, name);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, text);
        const bytes = Buffer.from(text);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        files.push({ path: name, file, sizeBytes: bytes.length, sha256 });
      }
      files.sort((a, b) => (a.path < b.path ? -1 : 1));
      return {
        id: `deploy-${count}`,
        siteId: 'journal',
        commit: 'c'.repeat(40),
        files,
        redirects: [],
        isPreview: false,
        message: 'Deploy by Ada',
      };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Plan, send, publish. */
export async function runDeploy(
  provider: DeployProvider,
  publication: Publication,
  context: ProviderContext,
): Promise<PublishedDeploy & { sent: string[]; isUnchanged: boolean }> {
  const plan = await provider.plan(publication, context);
  const sent = plan.send.map((file) => file.path);
  if (plan.isUnchanged) return { url: null, hostId: null, sent, isUnchanged: true };
  await provider.send(plan, publication, context);
  return { ...(await provider.publish(plan, publication, context)), sent, isUnchanged: false };
}
