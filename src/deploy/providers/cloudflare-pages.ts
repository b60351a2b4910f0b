// Cloudflare Pages by direct upload: contents by their hash, then a deployment that names them; it is live once its
// stage "deploy" has succeeded. Any branch but the project's production branch is a preview.
import { openAsBlob } from 'node:fs';
import { z } from 'zod';
import { hashesOf } from '../files/hash-cache.ts';
import { limitRefusals } from '../files/host-limits.ts';
import { changedPlan, filesByHash, unchangedPlan } from '../files/plan.ts';
import { findTree, rememberTree, treeOf } from '../files/published-trees.ts';
import { type Assets, createAssets } from './api/cloudflare-assets.ts';
import { PAGES_HASH } from './api/cloudflare-hash.ts';
import { createOnce } from './create-once.ts';
import { HostError } from './host-error.ts';
import { inParentheses, isOwnAddress } from './own-address.ts';
import { poll } from './poll.ts';
import type { DeployProvider, ProviderContext, Publication, PublishedFile } from './provider.ts';
import { createHostClient, type HostClient, type HostRequest } from './request.ts';

const SETTING = 'cloudflareApiUrl';
const LABEL = 'Cloudflare Pages';
/** Paid plans; the plan of the account is known from its upload token. */
const MAX_FILES = 100_000;
const MAX_FILE_BYTES = 25 << 20;
const PRODUCTION_BRANCH = 'main';
const PREVIEW_BRANCH = 'preview';
const MAX_MESSAGE_BYTES = 384;

/** Rules of the site: parts of the deployment, not files of it. */
const RULES = ['_headers', '_redirects', '_routes.json'];
/** What the official client leaves out; functions are not for sites that are built here. */
const LEFT_OUT = /^(?:_worker\.js|functions)(?:\/|$)|(?:^|\/)(?:\.DS_Store|node_modules|\.git|\.wrangler)(?:\/|$)/;

const Project = z.object({
  result: z.object({
    production_branch: z.string().nullish(),
    canonical_deployment: z.object({ id: z.string() }).nullish(),
    /** `<project>.pages.dev`, and the domains of the site with it among them. */
    subdomain: z.string().nullish(),
    domains: z.array(z.string()).nullish(),
  }),
});
const Deployment = z.object({
  id: z.string(),
  url: z.string().nullish(),
  aliases: z.array(z.string()).nullish(),
  latest_stage: z.object({ name: z.string(), status: z.string() }).nullish(),
  deployment_trigger: z.object({ metadata: z.object({ commit_message: z.string().nullish() }).nullish() }).nullish(),
});
type PagesDeployment = z.output<typeof Deployment>;
const OneDeployment = z.object({ result: Deployment });
const Resumed = z.object({ tree: z.string(), project: z.string(), deploymentId: z.string() });

interface CloudflareState {
  tree: string;
  /** Without the rules. */
  files: readonly PublishedFile[];
  rules: readonly PublishedFile[];
  hashes: ReadonlyMap<string, string>;
  /** Undefined if the project does not exist yet. */
  productionBranch: string | undefined;
  /** Where people see the site; undefined if Cloudflare does not say. */
  domain: string | undefined;
}

export function createCloudflarePages(): DeployProvider {
  return {
    name: 'cloudflare-pages',
    label: LABEL,
    rules: 'redirects-file',
    hasPreviews: true,
    hasRollback: true,
    needsBuild: true,

    missing: ({ cloudflareToken, cloudflareAccountId }) => [
      ...(cloudflareToken === ''
        ? [{ path: 'cloudflareToken', message: 'is missing: an API token with the right "Cloudflare Pages: Edit"' }]
        : []),
      ...(cloudflareAccountId === ''
        ? [{ path: 'cloudflareAccountId', message: 'is missing: the id of the account at Cloudflare' }]
        : []),
    ],

    refusals: ({ files }) =>
      limitRefusals(files.filter(isAsset), {
        label: LABEL,
        maxFiles: MAX_FILES,
        maxFileBytes: MAX_FILE_BYTES,
        // An address ends before these, whatever encodes them.
        badCharacters: /[#?]/,
      }),

    async plan(publication, context) {
      const { client, project, assets } = connect(projectOf(publication.siteId, context), context);
      const files = publication.files.filter(isAsset);
      const rules = publication.files.filter(isRule);
      const leftOut = publication.files.length - files.length - rules.length;
      if (leftOut > 0)
        context.log(`Cloudflare Pages takes no functions and no folders of tools: ${leftOut} files stay here`);
      const found = await findProject(client, project.path);
      const state: CloudflareState = {
        tree: treeOf([...files, ...rules]),
        files,
        rules,
        hashes: await hashesOf(PAGES_HASH, files, context),
        domain: domainOf(found),
        productionBranch: found && (found.production_branch ?? PRODUCTION_BRANCH),
      };
      const total = files.length + rules.length;
      const live = found?.canonical_deployment?.id;
      if (live !== undefined && !publication.isPreview) {
        if ((await findTree(context.cacheFolder, project.path, live)) === state.tree)
          return unchangedPlan(total, state);
      }
      const byHash = filesByHash(files, state.hashes);
      if (!found) return changedPlan(total, [...byHash.values()], state);
      await refuseTooMany(files.length, assets);
      const missing = await assets.missing([...byHash.keys()]);
      return changedPlan(
        total,
        [...missing].flatMap((hash) => byHash.get(hash) ?? []),
        state,
      );
    },

    async send(plan, publication, context) {
      const state = plan.state as CloudflareState;
      const { client, project, assets } = connect(projectOf(publication.siteId, context), context);
      if (state.productionBranch === undefined) {
        state.domain = domainOf(await createProject(client, project, context));
        state.productionBranch = PRODUCTION_BRANCH;
        await refuseTooMany(state.files.length, assets);
      }
      await assets.send(plan.send.map((file) => ({ hash: state.hashes.get(file.path) ?? '', file })));
      await assets.touch([...new Set(state.hashes.values())]);
    },

    async publish(plan, publication, context) {
      const state = plan.state as CloudflareState;
      const { client, project } = connect(projectOf(publication.siteId, context), context);
      const created =
        (await resumed(client, project, state, context)) ??
        (await create(client, project.path, publication, state, context));
      const resume = { tree: state.tree, project: project.name, deploymentId: created.id };
      await context.resume.set(resume satisfies z.output<typeof Resumed>);
      const deployment = await poll(context, `deployment "${created.id}" of ${LABEL}`, async () => {
        const { result } = await client.read(toDeployment(project.path, created.id), OneDeployment);
        return endOf(client, project.path, result, context);
      });
      if (!publication.isPreview) await rememberTree(context.cacheFolder, project.path, created.id, state.tree);
      const domain = publication.isPreview ? undefined : state.domain;
      const url = domain ? `https://${domain}` : (deployment.aliases?.[0] ?? deployment.url ?? null);
      return { url, hostId: `${project.name}/${created.id}` };
    },

    async rollback(hostId, context) {
      const [name = '', id = ''] = hostId.split('/');
      const { client, project } = connect(name, context);
      const path = `${project.path}/deployments/${encodeURIComponent(id)}/rollback`;
      const what = `the rollback to deployment "${id}"`;
      const { result } = await client.read({ method: 'POST', path, what, isRepeatable: true }, OneDeployment);
      return { url: result.aliases?.[0] ?? result.url ?? null, hostId };
    },

    async abandon(context) {
      const { data } = Resumed.safeParse(context.resume.get());
      if (!data) return;
      const { client, project } = connect(data.project, context);
      const path = `${project.path}/deployments/${encodeURIComponent(data.deploymentId)}`;
      // Cloudflare keeps the live one.
      await client.send({
        method: 'DELETE',
        path,
        what: `the end of deployment "${data.deploymentId}"`,
        expect: [400, 404, 409],
      });
    },
  };
}

/** A domain of one's own comes before Cloudflare's. */
function domainOf(project: z.output<typeof Project>['result'] | undefined): string | undefined {
  return project?.domains?.find((domain) => !domain.endsWith('.pages.dev')) ?? project?.subdomain ?? undefined;
}

function isRule({ path }: PublishedFile): boolean {
  return RULES.includes(path);
}

function isAsset(file: PublishedFile): boolean {
  return !isRule(file) && !LEFT_OUT.test(file.path);
}

function projectOf(siteId: string, { settings }: ProviderContext): string {
  return settings.cloudflareProjectName || siteId;
}

function connect(name: string, context: ProviderContext) {
  const { cloudflareApiUrl, cloudflareToken, cloudflareAccountId } = context.settings;
  const client = createHostClient({
    context,
    label: LABEL,
    baseUrl: cloudflareApiUrl,
    baseUrlSetting: SETTING,
    token: cloudflareToken,
    tokenSetting: 'cloudflareToken',
  });
  const projects = `/accounts/${encodeURIComponent(cloudflareAccountId)}/pages/projects`;
  const project = { name, projects, path: `${projects}/${encodeURIComponent(name)}` };
  return { client, project, assets: createAssets(client, project.path, context) };
}

async function findProject(client: HostClient, path: string) {
  const request: HostRequest = { method: 'GET', path, what: 'the project', expect: [404] };
  const answer = await client.send(request);
  return answer.status === 404 ? undefined : client.parse(request, answer, Project).result;
}

async function createProject(
  client: HostClient,
  { name, projects, path }: { name: string; projects: string; path: string },
  context: ProviderContext,
) {
  context.log(`making project "${name}" at ${LABEL}`);
  const request: HostRequest = {
    method: 'POST',
    path: projects,
    body: { json: { name, production_branch: PRODUCTION_BRANCH } },
    what: `project "${name}"`,
    advice: { 409: 'the name is taken: choose another as cloudflareProjectName in the deploy settings' },
  };
  return createOnce(
    context,
    async () => (await client.read(request, Project)).result,
    () => findProject(client, path),
  );
}

async function refuseTooMany(count: number, assets: Assets): Promise<void> {
  const maxFiles = await assets.maxFiles();
  if (count <= maxFiles) return;
  throw new HostError('refused_input', `${count} files are more than the plan of this account accepts (${maxFiles})`);
}

async function resumed(
  client: HostClient,
  project: { name: string; path: string },
  { tree }: CloudflareState,
  context: ProviderContext,
): Promise<PagesDeployment | undefined> {
  const { data } = Resumed.safeParse(context.resume.get());
  if (data?.tree !== tree || data.project !== project.name) return undefined;
  const request = { ...toDeployment(project.path, data.deploymentId), expect: [404] };
  const answer = await client.send(request);
  if (answer.status === 404) return undefined;
  const { result } = client.parse(request, answer, OneDeployment);
  return result.latest_stage?.status === 'failure' ? undefined : result;
}

async function create(
  client: HostClient,
  path: string,
  publication: Publication,
  state: CloudflareState,
  context: ProviderContext,
): Promise<PagesDeployment> {
  const { files, rules, hashes, productionBranch = PRODUCTION_BRANCH } = state;
  const message = messageOf(publication);
  const preview = productionBranch === PREVIEW_BRANCH ? `colophon-${PREVIEW_BRANCH}` : PREVIEW_BRANCH;
  const manifest = Object.fromEntries(files.map((file) => [`/${file.path}`, hashes.get(file.path)]));
  async function form(): Promise<FormData> {
    const data = new FormData();
    data.set('manifest', JSON.stringify(manifest));
    data.set('branch', publication.isPreview ? preview : productionBranch);
    data.set('commit_message', message);
    data.set('commit_hash', publication.commit);
    data.set('commit_dirty', 'false');
    for (const rule of rules) data.set(rule.path, await openAsBlob(rule.file), rule.path);
    return data;
  }
  return createOnce(
    context,
    async () => {
      const body = { form, sizeBytes: 100 * files.length };
      const request: HostRequest = { method: 'POST', path: `${path}/deployments`, body, what: 'the deployment' };
      return (await client.read(request, OneDeployment)).result;
    },
    async () => {
      const { result } = await client.read(
        { method: 'GET', path: `${path}/deployments`, what: 'the list of deployments' },
        z.object({ result: z.array(Deployment) }),
      );
      return result.find(({ deployment_trigger: trigger }) => trigger?.metadata?.commit_message === message);
    },
  );
}

/** With the id of the deploy, by which it is found; cut between characters. */
function messageOf({ message, id }: Publication): string {
  const tail = ` (${id})`;
  const bytes = Buffer.from(message).subarray(0, MAX_MESSAGE_BYTES - Buffer.byteLength(tail));
  return bytes.toString('utf8').replace(/\uFFFD+$/, '') + tail;
}

function toDeployment(path: string, id: string): HostRequest {
  return { method: 'GET', path: `${path}/deployments/${encodeURIComponent(id)}`, what: `deployment "${id}"` };
}

/** The deployment once it is live; undefined while Cloudflare works. @throws HostError if it failed */
async function endOf(
  client: HostClient,
  path: string,
  deployment: PagesDeployment,
  context: ProviderContext,
): Promise<PagesDeployment | undefined> {
  const { id, latest_stage: stage } = deployment;
  if (stage?.status === 'failure' || stage?.status === 'canceled') {
    throw new HostError(
      'host_failed',
      `deployment "${id}" failed at ${LABEL}${inParentheses(context, SETTING, `stage ${stage.name}`)}; ${await lastLine(client, path, id, context)}`,
    );
  }
  return stage?.name === 'deploy' && stage.status === 'success' ? deployment : undefined;
}

async function lastLine(client: HostClient, path: string, id: string, context: ProviderContext): Promise<string> {
  const elsewhere = 'its own log at dash.cloudflare.com says more';
  if (!isOwnAddress(SETTING, context.settings.cloudflareApiUrl)) return elsewhere;
  const request = { ...toDeployment(path, id), path: `${path}/deployments/${encodeURIComponent(id)}/history/logs` };
  try {
    const shape = z.object({ result: z.object({ data: z.array(z.object({ line: z.string() })) }) });
    const { result } = await client.read(request, shape);
    return `its log ends with "${result.data.at(-1)?.line ?? ''}"`;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return elsewhere;
  }
}
