// Vercel: files by their sha1, then a deployment that names them all. A deployment is live once it is READY, has its
// aliases, and the project says so: after a rollback Vercel moves no alias by itself.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { hashesOf } from '../files/hash-cache.ts';
import { limitRefusals } from '../files/host-limits.ts';
import { changedPlan, filesByHash, unchangedPlan } from '../files/plan.ts';
import { findTree, rememberTree, treeOf } from '../files/published-trees.ts';
import { SHA1 } from '../files/sha1.ts';
import { connectVercel, FAILED_STATES, type Vercel, type VercelDeployment } from './api/vercel-api.ts';
import { createOnce } from './create-once.ts';
import { HostError } from './host-error.ts';
import { inParallel } from './in-parallel.ts';
import { inParentheses } from './own-address.ts';
import { poll } from './poll.ts';
import type { DeployProvider, ProviderContext, Publication, PublishedFile } from './provider.ts';
import type { HostRequest } from './request.ts';

const LABEL = 'Vercel';
/** 1 GB on the paid plans, 100 MB on the free one; nothing says which plan a token has. */
const MAX_TOTAL_BYTES = 1 << 30;
const MAX_FILES = 100_000;
/** As many as the official client. */
const UPLOADS_AT_ONCE = 50;
/** Vercel may have dropped files since they were counted. */
const MAX_ROUNDS = 3;

const Resumed = z.object({ tree: z.string(), deploymentId: z.string() });

interface VercelState {
  tree: string;
  hashes: ReadonlyMap<string, string>;
  /** False if the project does not exist yet: then Vercel is asked once it may be made. */
  isCounted: boolean;
}

export function createVercel(): DeployProvider {
  return {
    name: 'vercel',
    label: LABEL,
    rules: 'vercel-json',
    hasPreviews: true,
    hasRollback: true,
    needsBuild: true,

    missing: ({ vercelToken }) =>
      vercelToken === '' ? [{ path: 'vercelToken', message: 'is missing: a token of vercel.com/account/tokens' }] : [],

    refusals: ({ files }) =>
      limitRefusals(files, { label: LABEL, maxFiles: MAX_FILES, maxTotalBytes: MAX_TOTAL_BYTES }),

    async plan(publication, context) {
      const vercel = connectVercel(publication.siteId, context);
      const project = await vercel.findProject();
      const hashes = await hashesOf(SHA1, publication.files, context);
      const state: VercelState = { tree: treeOf(publication.files), hashes, isCounted: project !== undefined };
      const total = publication.files.length;
      const live = project?.targets?.production?.id;
      if (live !== undefined && !publication.isPreview) {
        const liveTree = await findTree(context.cacheFolder, vercel.place, live);
        if (liveTree === state.tree) return unchangedPlan(total, state);
      }
      const send = project
        ? await missingFiles(vercel, publication, hashes)
        : [...filesByHash(publication.files, hashes).values()];
      return changedPlan(total, send, state);
    },

    async send(plan, publication, context) {
      const vercel = connectVercel(publication.siteId, context);
      const { hashes, isCounted } = plan.state as VercelState;
      const files = isCounted ? plan.send : await missingFiles(vercel, publication, hashes);
      await upload(vercel, files, hashes, context);
    },

    async publish(plan, publication, context) {
      const vercel = connectVercel(publication.siteId, context);
      const state = plan.state as VercelState;
      const { id } = (await resumed(vercel, state, context)) ?? (await create(vercel, publication, state, context));
      await context.resume.set({ tree: state.tree, deploymentId: id } satisfies z.output<typeof Resumed>);
      const deployment = await poll(context, `deployment "${id}" of Vercel`, async () =>
        endOf(await vercel.getDeployment(id), publication.isPreview, context),
      );
      if (!publication.isPreview) {
        await promoteIfLeftBehind(vercel, id, context);
        await rememberTree(context.cacheFolder, vercel.place, id, state.tree);
      }
      const host = publication.isPreview ? deployment.url : (deployment.alias?.[0] ?? deployment.url);
      return { url: host ? `https://${host}` : null, hostId: id };
    },

    async rollback(hostId, context) {
      const vercel = connectVercel('', context);
      const deployment = await vercel.getDeployment(hostId);
      const projectId = deployment.projectId ?? vercel.project;
      await vercel.send({
        method: 'POST',
        path: `/v1/projects/${encodeURIComponent(projectId)}/rollback/${encodeURIComponent(hostId)}`,
        what: `the rollback to deployment "${hostId}"`,
        isRepeatable: true,
        advice: { 402: 'the plan goes back to the deployment before the live one only' },
      });
      const host = deployment.alias?.[0] ?? deployment.url;
      return { url: host ? `https://${host}` : null, hostId };
    },

    async abandon(context) {
      const { data } = Resumed.safeParse(context.resume.get());
      if (!data) return;
      await connectVercel('', context).send({
        method: 'PATCH',
        path: `/v12/deployments/${encodeURIComponent(data.deploymentId)}/cancel`,
        what: `the end of deployment "${data.deploymentId}"`,
        isRepeatable: true,
        // It has ended already, or does not exist any more.
        expect: [400, 404, 409],
      });
    },
  };
}

/**
 * Asks for a deployment with one file that Vercel cannot have: the answer lists the files that are missing, and no
 * deployment is made.
 */
async function missingFiles(
  vercel: Vercel,
  publication: Publication,
  hashes: ReadonlyMap<string, string>,
): Promise<PublishedFile[]> {
  const probe = {
    file: '.colophon-probe',
    sha: createHash('sha1').update(`colophon ${publication.id}`).digest('hex'),
    size: 1,
  };
  const request = toCreate(vercel, publication, hashes, '', [probe]);
  const answer = await vercel.send({ ...request, what: 'the question which files are missing', isRepeatable: true });
  const missing = vercel.missingOf(answer);
  if (!missing) throw vercel.toRefusal(request, answer);
  const files = filesByHash(publication.files, hashes);
  return missing.flatMap((sha) => files.get(sha) ?? []);
}

async function upload(
  vercel: Vercel,
  files: readonly PublishedFile[],
  hashes: ReadonlyMap<string, string>,
  { signal, progress }: ProviderContext,
): Promise<void> {
  let sent = 0;
  await inParallel(files, UPLOADS_AT_ONCE, signal, async (file, either) => {
    await vercel.send({
      method: 'POST',
      path: '/v2/files',
      headers: { 'x-vercel-digest': hashes.get(file.path) ?? '' },
      body: { file: file.file, sizeBytes: file.sizeBytes },
      what: `the upload of "${file.path}"`,
      // Vercel stores it under its digest.
      isRepeatable: true,
      signal: either,
    });
    progress(++sent);
  });
}

async function resumed(
  vercel: Vercel,
  { tree }: VercelState,
  context: ProviderContext,
): Promise<{ id: string } | undefined> {
  const { data } = Resumed.safeParse(context.resume.get());
  if (data?.tree !== tree) return undefined;
  const deployment = await vercel.findDeployment(data.deploymentId);
  return deployment && !FAILED_STATES.test(deployment.readyState) ? deployment : undefined;
}

async function create(
  vercel: Vercel,
  publication: Publication,
  { hashes, tree }: VercelState,
  context: ProviderContext,
): Promise<{ id: string }> {
  const request = toCreate(vercel, publication, hashes, tree);
  for (let round = 1; ; round++) {
    const result = await createOnce(
      context,
      async () => {
        const answer = await vercel.send(request);
        if (answer.status !== 400) return vercel.parseDeployment(answer);
        const missing = vercel.missingOf(answer);
        if (!missing || round === MAX_ROUNDS) throw vercel.toRefusal(request, answer);
        return { missing };
      },
      () => vercel.findByDeploy(publication.id),
    );
    if (!('missing' in result)) return result;
    context.log(`Vercel has lost ${result.missing.length} files since they were counted; sending them again`);
    const files = filesByHash(publication.files, hashes);
    await upload(
      vercel,
      result.missing.flatMap((sha) => files.get(sha) ?? []),
      hashes,
      context,
    );
  }
}

function toCreate(
  { project }: Vercel,
  { id, commit, files, isPreview, message }: Publication,
  hashes: ReadonlyMap<string, string>,
  tree: string,
  more: { file: string; sha: string; size: number }[] = [],
): HostRequest {
  return {
    method: 'POST',
    path: '/v13/deployments',
    query: { skipAutoDetectionConfirmation: '1' },
    what: 'the deployment',
    expect: [400],
    advice: { 402: 'the plan of the account does not allow it', 404: 'check vercelTeamId in the deploy settings' },
    body: {
      json: {
        name: project,
        project,
        ...(isPreview ? {} : { target: 'production' }),
        files: [
          ...files.map(({ path, sizeBytes }) => ({ file: path, sha: hashes.get(path), size: sizeBytes })),
          ...more,
        ],
        projectSettings: {
          framework: null,
          buildCommand: '',
          installCommand: '',
          outputDirectory: null,
          rootDirectory: null,
        },
        // Not gitMetadata: with an author in it Vercel refuses those who are not in the team.
        meta: { colophonDeploy: id, colophonTree: tree, commit, message: message.slice(0, 200) },
      },
    },
  };
}

/** The deployment once it is live; undefined while Vercel works. @throws HostError if it failed */
function endOf(
  deployment: VercelDeployment,
  isPreview: boolean,
  context: ProviderContext,
): VercelDeployment | undefined {
  const { id, readyState, aliasAssigned, aliasError, checks } = deployment;
  const why = deployment.errorMessage ?? aliasError?.message ?? deployment.errorCode ?? readyState;
  if (FAILED_STATES.test(readyState) || aliasError || checks?.['deployment-alias']?.state === 'failed') {
    throw new HostError(
      'host_failed',
      `deployment "${id}" failed on Vercel${inParentheses(context, 'vercelApiUrl', why)}; its own log at vercel.com says more`,
    );
  }
  return readyState === 'READY' && (isPreview || aliasAssigned) ? deployment : undefined;
}

async function promoteIfLeftBehind(vercel: Vercel, id: string, { log }: ProviderContext): Promise<void> {
  const project = await vercel.findProject();
  const live = project?.targets?.production?.id;
  if (!project || live === undefined || live === id) return;
  log(`Vercel still shows deployment "${live}", as after a rollback; promoting "${id}"`);
  await vercel.send({
    method: 'POST',
    path: `/v10/projects/${encodeURIComponent(project.id)}/promote/${encodeURIComponent(id)}`,
    what: `the promotion of deployment "${id}"`,
    isRepeatable: true,
    // It is live already.
    expect: [409],
  });
}
