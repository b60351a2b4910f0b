// A host and a builder in memory, whose every step a test can hold, fail or look at.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuildError, type Builds } from '../../src/build/build.ts';
import type { DeployProvider, ProviderContext, Publication } from '../../src/deploy/providers/provider.ts';
import { invalid } from '../../src/lib/errors.ts';

/** A step that waits until the test lets it go. */
export interface Gate {
  reached: Promise<void>;
  open(): void;
}

type Step = 'build' | 'plan' | 'send' | 'publish' | 'rollback' | 'abandon';

export interface FakeHost {
  provider: DeployProvider;
  builds: Builds;
  /** The steps so far. */
  steps: string[];
  /** Publications that were published, newest last. */
  published: Publication[];
  /** What `resume` had when each plan began. */
  resumed: unknown[];
  /** Files of the next build. */
  files: Record<string, string>;
  /** Holds the next such step. */
  hold(step: Step): Gate;
  /** Makes the next such step fail. */
  fail(step: Step, error: Error): void;
  /** What the build prints. */
  output: string[];
  close(): void;
}

export function makeHost(change: Partial<DeployProvider> = {}): FakeHost {
  const root = mkdtempSync(join(tmpdir(), 'colophon-host-'));
  const gates = new Map<Step, { reach(): void; opened: Promise<void> }>();
  const failures = new Map<Step, Error>();
  let builtTimes = 0;
  let live = '';

  async function step(name: Step, signal: AbortSignal): Promise<void> {
    host.steps.push(name);
    const gate = gates.get(name);
    if (gate) {
      gates.delete(name);
      gate.reach();
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        gate.opened.then(resolve);
      });
    }
    signal.throwIfAborted();
    const error = failures.get(name);
    failures.delete(name);
    if (error) throw error;
  }

  const treeOf = ({ files }: Publication): string => files.map(({ path, sha256 }) => `${path} ${sha256}`).join();

  const host: FakeHost = {
    steps: [],
    published: [],
    resumed: [],
    files: { 'index.html': '<p>hello' },
    output: [],
    builds: {
      async check({ profile = 'default', isPreview }) {
        if (!['default', 'other', 'drafts'].includes(profile)) throw invalid(`unknown profile "${profile}"`);
        if (profile === 'drafts' && !isPreview) throw invalid('a profile of drafts makes previews only');
        return { name: profile, command: undefined, outDir: 'dist', drafts: profile === 'drafts' };
      },
      async build({ signal, log }) {
        for (const text of host.output) log(text);
        await step('build', signal);
        const folder = join(root, `${builtTimes++}`);
        mkdirSync(folder);
        const files = Object.entries(host.files).map(([path, text]) => {
          writeFileSync(join(folder, path), text);
          return { path, sizeBytes: text.length, sha256: createHash('sha256').update(text).digest('hex') };
        });
        return { folder, files, commit: 'c'.repeat(40), redirects: [] };
      },
    },
    provider: {
      name: 'vercel',
      label: 'The fake',
      rules: 'none',
      hasPreviews: true,
      hasRollback: true,
      needsBuild: true,
      missing: ({ vercelToken }) => (vercelToken === '' ? [{ path: 'vercelToken', message: 'is missing' }] : []),
      refusals: ({ files }) => files.filter(({ path }) => path.includes('#')).map(({ path }) => `"${path}" has a #`),
      async plan(publication, { signal, resume }) {
        host.resumed.push(resume.get());
        await step('plan', signal);
        const isUnchanged = treeOf(publication) === live;
        const send = isUnchanged ? [] : publication.files;
        return { total: publication.files.length, send, sendBytes: 1, isUnchanged, state: undefined };
      },
      async send(plan, publication, { signal, resume, progress }) {
        await resume.set({ half: publication.id });
        await step('send', signal);
        progress(plan.send.length);
      },
      async publish(_plan, publication, { signal }) {
        await step('publish', signal);
        if (!publication.isPreview) live = treeOf(publication);
        host.published.push(publication);
        return { url: `https://${publication.id}.example`, hostId: `host-${publication.id}` };
      },
      async rollback(hostId, { signal }: ProviderContext) {
        await step('rollback', signal);
        live = '';
        return { url: `https://${hostId}.example`, hostId };
      },
      abandon: ({ signal }) => step('abandon', signal),
      ...change,
    },
    hold(name) {
      const reached = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<void>();
      gates.set(name, { reach: reached.resolve, opened: opened.promise });
      return { reached: reached.promise, open: opened.resolve };
    },
    fail: (name, error) => void failures.set(name, error),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
  return host;
}

export const broken = (): BuildError => new BuildError('theme "layouts/default.liquid", line 3: no such filter');
