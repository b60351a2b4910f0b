// GitHub Pages from a branch: a push of what changed, then the build that GitHub makes of it. Works with any host that
// speaks git's smart HTTP; where the token does not reach the Pages API, the push is the deploy.

import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Problem } from '../../lib/errors.ts';
import type { BranchPack } from '../branch/branch-pack.ts';
import { createGitHost } from '../branch/git-host.ts';
import { type BranchPlan, createSiteBranch, type SiteBranch } from '../branch/site-branch.ts';
import { limitRefusals } from '../files/host-limits.ts';
import { createPagesApi, type PagesApi, type PagesSite, type Seen } from './api/github-pages-api.ts';
import { HostError } from './host-error.ts';
import { inParentheses, isOwnAddress } from './own-address.ts';
import type {
  DeployPlan,
  DeployProvider,
  ProviderContext,
  Publication,
  PublishedDeploy,
  PublishedFile,
} from './provider.ts';

const LABEL = 'GitHub Pages';
/** GitHub's soft limit: automatic deploys above it are put off, manual ones are not. */
export const PAGES_BUILDS_AN_HOUR = 10;

/** GitHub refuses a push with a larger file. */
const MAX_FILE_BYTES = 100 << 20;
const MAX_SITE_BYTES = 2 ** 30;
/** The longest build of GitHub, and some time to begin. */
const BUILD_MS = 12 * 60_000;
/** A push that has not begun a build by then never will. */
const NO_BUILD_MS = 45_000;
const POLL_MS = [1000, 2000, 3000, 5000];
const SHOWN = 20;

interface PagesPlan {
  branch: SiteBranch;
  plan: BranchPlan;
  site: Seen<PagesSite>;
  pack?: BranchPack;
}

export function createGithubPages(): DeployProvider {
  return {
    name: 'github-pages',
    label: LABEL,
    rules: 'pages',
    hasPreviews: false,
    hasRollback: true,
    needsBuild: true,
    missing({ deployAppName, deployApiToken }) {
      const missing: Problem[] = [];
      if (!deployAppName.includes('/'))
        missing.push({ path: 'deployAppName', message: 'is missing: the repository, as "owner/name"' });
      if (deployApiToken === '')
        missing.push({ path: 'deployApiToken', message: 'is missing: a token that may write to the repository' });
      return missing;
    },
    refusals,
    async plan(publication, context) {
      const site = await createPagesApi(context).findSite();
      refuseOtherSource(site, context);
      const branch = openBranch(context);
      const files = await withHostFiles(publication.files, site, context);
      const plan = await branch.plan(files);
      const send = plan.isUnchanged ? [] : plan.send.map(({ file }) => file);
      return {
        total: files.length,
        send,
        sendBytes: send.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        isUnchanged: plan.isUnchanged && isLive(site),
        state: { branch, plan, site } satisfies PagesPlan,
      };
    },
    async send(plan, _publication, context) {
      const state = stateOf(plan);
      if (!state.plan.isUnchanged) state.pack = await state.branch.spool(state.plan, context.progress);
    },
    async publish(plan, { message, commit }, context) {
      const state = stateOf(plan);
      const pushed = await state.branch.push(state.plan, state.pack, { message, source: commit });
      await state.branch.clean();
      context.log(`branch "${context.settings.deployBranch}" is at ${pushed}`);
      const { trees, isUnchanged } = state.plan;
      return goLive({ pushed, tree: trees.root, site: state.site, isUnmoved: isUnchanged, context });
    },
    async rollback(hostId, context) {
      const [earlier, tree] = hostId.split(':');
      if (!/^[0-9a-f]{40}$/.test(tree ?? ''))
        throw new HostError('not_found', `no deploy "${hostId}" is on the branch`);
      const site = await createPagesApi(context).findSite();
      refuseOtherSource(site, context);
      const branch = openBranch(context);
      const pushed = await branch.goBack(tree!, { message: `Back to ${earlier}`, source: earlier! });
      await branch.clean();
      return goLive({ pushed, tree: tree!, site, isUnmoved: false, context });
    },
    abandon: (context) => openBranch(context).clean(),
  };
}

function stateOf({ state }: DeployPlan): PagesPlan {
  return state as PagesPlan;
}

function refusals({ files }: Publication): string[] {
  const ofGit = files.filter(({ path: name }) => name.split('/').some((part) => /^(\.git|git~1)$/i.test(part)));
  return [
    ...limitRefusals(files, { label: LABEL, maxFileBytes: MAX_FILE_BYTES, maxTotalBytes: MAX_SITE_BYTES }),
    ...ofGit.slice(0, SHOWN).map(({ path: name }) => `file "${name}" is in a folder whose name git keeps for itself`),
  ];
}

function openBranch(context: ProviderContext): SiteBranch {
  const { settings, cacheFolder, signal, log, now, delay } = context;
  const { githubUrl, deployAppName, deployBranch, deployApiToken } = settings;
  const url = `${githubUrl}/${deployAppName}.git`;
  const host = createGitHost({
    ...{ url, token: deployApiToken, branch: deployBranch, context },
    isOwnAddress: isOwnAddress('githubUrl', githubUrl),
  });
  return createSiteBranch({ host, place: `${url} ${deployBranch}`, cacheFolder, signal, log, now, delay });
}

/** A push to a branch that Pages does not publish would look like a deploy and change nothing. */
function refuseOtherSource(
  site: Seen<PagesSite>,
  { settings: { deployBranch, deployAppName } }: ProviderContext,
): void {
  if (typeof site !== 'object') return;
  if (site.build_type === 'workflow') {
    throw new HostError(
      'conflict',
      `GitHub Pages of "${deployAppName}" publishes what a workflow makes: choose "Deploy from a branch" in the repository's settings`,
    );
  }
  if (site.source && (site.source.branch !== deployBranch || site.source.path !== '/')) {
    throw new HostError(
      'conflict',
      `GitHub Pages of "${deployAppName}" publishes "${site.source.path}" of branch "${site.source.branch}": set deployBranch to it, or choose "/" of branch "${deployBranch}" in the repository's settings`,
    );
  }
}

/** False if a push alone does not show the site: then the deploy of an unchanged tree still has something to do. */
function isLive(site: Seen<PagesSite>): boolean {
  return site === 'unseen' || site?.status === 'built';
}

/**
 * `.nojekyll`, without which GitHub leaves out what begins with `_`; and the domain, which GitHub forgets when a push has
 * no `CNAME`: if the settings do not name one, the repository's own stays.
 */
async function withHostFiles(
  files: readonly PublishedFile[],
  site: Seen<PagesSite>,
  { settings, cacheFolder }: ProviderContext,
): Promise<PublishedFile[]> {
  const kept = typeof site === 'object' && !files.some((file) => file.path === 'CNAME') ? site.cname : undefined;
  const domain = settings.deployDomain || kept;
  const made = new Map([['.nojekyll', ''], ...(domain ? [['CNAME', `${domain}\n`] as const] : [])]);
  const folder = path.join(cacheFolder, 'made');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const added: PublishedFile[] = [];
  for (const [name, text] of made) {
    const file = path.join(folder, name);
    await writeFile(file, text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    added.push({ path: name, file, sizeBytes: Buffer.byteLength(text), sha256 });
  }
  return [...files.filter((file) => !made.has(file.path)), ...added];
}

interface Pushed {
  pushed: string;
  tree: string;
  site: Seen<PagesSite>;
  /** No push happened, so that GitHub builds only what is requested. */
  isUnmoved: boolean;
  context: ProviderContext;
}

async function goLive({ pushed, tree, site: before, isUnmoved, context }: Pushed): Promise<PublishedDeploy> {
  const { settings, log } = context;
  const api = createPagesApi(context);
  let site = before;
  if (site === undefined) {
    if (await api.createSite(settings.deployBranch)) site = await api.findSite();
    else log('the token may not see GitHub Pages of this repository: turn Pages on in its settings, if it is off');
  }
  const isBroken = isUnmoved && typeof site === 'object' && site.status === 'errored';
  if (isBroken && !(await api.requestBuild())) log('the token may not request a build of GitHub Pages');
  else if (site !== undefined) await waitForBuild(api, pushed, context);
  return { url: urlOf(site, settings), hostId: `${pushed}:${tree}` };
}

async function waitForBuild(api: PagesApi, commit: string, context: ProviderContext): Promise<void> {
  const { log, now, delay, signal } = context;
  const startedAt = now().getTime();
  let isRequested = false;
  for (let polls = 0; ; polls++) {
    const build = await api.findLatestBuild();
    if (build === 'unseen') return log('the token may not see the builds of GitHub Pages: this one is not waited for');
    const waitedMs = now().getTime() - startedAt;
    if (build?.commit === commit) {
      if (build.status === 'built') return;
      if (build.status === 'errored') throw buildError(build.error?.message, context);
    } else if (waitedMs > NO_BUILD_MS && !isRequested) {
      isRequested = true;
      if (!(await api.requestBuild()))
        return log('GitHub Pages has not begun to build, and the token may not ask for it');
    }
    if (waitedMs > BUILD_MS) {
      throw new HostError(
        'timeout',
        'GitHub Pages has not built the new commit in 12 minutes: the branch has it; look at the repository, or deploy again',
      );
    }
    await delay(POLL_MS[Math.min(polls, POLL_MS.length - 1)]!, signal);
  }
}

function buildError(message: string | null | undefined, context: ProviderContext): HostError {
  const said = inParentheses(context, 'githubApiUrl', message);
  return new HostError('host_failed', `GitHub Pages could not build the branch${said}; what was live stays live`);
}

function urlOf(
  site: Seen<PagesSite>,
  { githubUrl, deployAppName, deployDomain }: ProviderContext['settings'],
): string | null {
  if (deployDomain) return `https://${deployDomain}/`;
  if (typeof site === 'object' && site.html_url) return site.html_url;
  if (githubUrl !== 'https://github.com') return null;
  const [owner = '', name = ''] = deployAppName.toLowerCase().split('/');
  return name === `${owner}.github.io`
    ? `https://${name}/`
    : `https://${owner}.github.io/${deployAppName.split('/')[1]}/`;
}
