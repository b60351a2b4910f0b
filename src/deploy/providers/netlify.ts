// Netlify: a deploy that names every file with its sha1, then the contents that Netlify asks for; it goes live by itself
// with the last of them. `send` keeps one back, so that nothing is live before `publish`.
import { z } from 'zod';
import { hashesOf } from '../files/hash-cache.ts';
import { limitRefusals } from '../files/host-limits.ts';
import { changedPlan, filesByHash, unchangedPlan } from '../files/plan.ts';
import { findTree, rememberTree, treeOf } from '../files/published-trees.ts';
import { SHA1 } from '../files/sha1.ts';
import { connectNetlify, type Netlify, type NetlifyDeploy } from './api/netlify-api.ts';
import { createOnce } from './create-once.ts';
import { HostError } from './host-error.ts';
import { inParallel } from './in-parallel.ts';
import { inParentheses } from './own-address.ts';
import { poll } from './poll.ts';
import type { DeployPlan, DeployProvider, ProviderContext, Publication, PublishedFile } from './provider.ts';

const LABEL = 'Netlify';
/** Netlify documents a limit of 54,000 files in a folder; a site with more than this is not one that it accepts. */
const MAX_FILES = 100_000;
const UPLOADS_AT_ONCE = 10;
/** As the official client: with more files Netlify needs longer to look at them than a request may take. */
const MAX_SYNC_FILES = 500;
const UPLOAD_MS = 2 * 60_000;

/** While it is in one of these, a deploy may still be given files. */
const OPEN_STATES = new Set([
  'new',
  'pending_review',
  'accepted',
  'enqueued',
  'building',
  'uploading',
  'preparing',
  'prepared',
]);
const FAILED_STATES = new Set(['error', 'rejected']);

const Resumed = z.object({ tree: z.string(), deployId: z.string() });

interface NetlifyState {
  tree: string;
  files: readonly PublishedFile[];
  hashes: ReadonlyMap<string, string>;
  /** Once the deploy exists: its id, and the contents that it still needs. */
  opened?: { id: string; needed: string[] };
}

export function createNetlify(): DeployProvider {
  return {
    name: 'netlify',
    label: LABEL,
    rules: 'redirects-file',
    hasPreviews: true,
    hasRollback: true,
    needsBuild: true,

    missing: ({ netlifyToken, netlifySiteId }) => [
      ...(netlifyToken === ''
        ? [{ path: 'netlifyToken', message: 'is missing: a personal access token of app.netlify.com' }]
        : []),
      ...(netlifySiteId === ''
        ? [{ path: 'netlifySiteId', message: 'is missing: the id of the site at Netlify' }]
        : []),
    ],

    refusals: ({ files }) =>
      limitRefusals(files.filter(isServed), { label: LABEL, maxFiles: MAX_FILES, badCharacters: /[#?]/ }),

    async plan({ files: all, isPreview }, context) {
      const netlify = connectNetlify(context);
      const live = await netlify.getLiveId();
      const files = all.filter(isServed);
      if (files.length < all.length)
        context.log(`Netlify serves no hidden files: ${all.length - files.length} stay here`);
      const state: NetlifyState = { tree: treeOf(files), files, hashes: await hashesOf(SHA1, files, context) };
      if (live !== undefined && !isPreview) {
        const liveTree = await findTree(context.cacheFolder, netlify.siteId, live);
        if (liveTree === state.tree) return unchangedPlan(files.length, state);
      }
      const known = live === undefined ? new Set() : await netlify.liveHashes();
      const send = [...filesByHash(files, state.hashes)].filter(([sha]) => !known.has(sha));
      return changedPlan(
        files.length,
        send.map(([, file]) => file),
        state,
      );
    },

    async send(plan, publication, context) {
      const state = plan.state as NetlifyState;
      const netlify = connectNetlify(context);
      const resumed = await resume(netlify, state, context);
      // Without a file to send the deploy would be live at once.
      if (!resumed && plan.send.length === 0) return;
      const opened = await open(netlify, publication, state, context, resumed);
      await upload(netlify, opened.id, opened.needed.slice(1), state, context);
      state.opened = { id: opened.id, needed: opened.needed.slice(0, 1) };
    },

    async publish(plan: DeployPlan, publication, context) {
      const state = plan.state as NetlifyState;
      const netlify = connectNetlify(context);
      const { id, needed } = state.opened ?? (await open(netlify, publication, state, context));
      const before = plan.send.length - needed.length;
      await uploadLast(netlify, id, () => upload(netlify, id, needed, state, context, Math.max(0, before)));
      const deploy = await poll(context, `deploy "${id}" of Netlify`, async () =>
        endOf(await netlify.getDeploy(id), context),
      );
      if (publication.isPreview) return { url: deploy.deploy_ssl_url ?? null, hostId: id };
      await restoreIfLocked(netlify, id, context);
      await rememberTree(context.cacheFolder, netlify.siteId, id, state.tree);
      return { url: deploy.ssl_url ?? deploy.url ?? null, hostId: id };
    },

    async rollback(hostId, context) {
      const deploy = await connectNetlify(context).restore(hostId);
      return { url: deploy.ssl_url ?? deploy.url ?? null, hostId };
    },

    async abandon(context) {
      const { data } = Resumed.safeParse(context.resume.get());
      if (data) await connectNetlify(context).cancel(data.deployId);
    },
  };
}

/** What the official client leaves out too. */
function isServed({ path }: PublishedFile): boolean {
  return path.split('/').every((part, index) => {
    if (part === '__MACOSX') return false;
    return !part.startsWith('.') || (index === 0 && part === '.well-known');
  });
}

/** A deploy of the same tree that was begun before, and can be given files. */
async function resume(
  netlify: Netlify,
  { tree }: NetlifyState,
  context: ProviderContext,
): Promise<NetlifyDeploy | undefined> {
  const { data } = Resumed.safeParse(context.resume.get());
  if (data?.tree !== tree) return undefined;
  const deploy = await netlify.findDeploy(data.deployId);
  if (!deploy || FAILED_STATES.has(deploy.state)) return undefined;
  context.log(`going on with deploy "${deploy.id}" of Netlify`);
  return deploy;
}

/** Begins the deploy, unless it was begun before, and waits until Netlify knows what it needs. */
async function open(
  netlify: Netlify,
  publication: Publication,
  { tree, files, hashes }: NetlifyState,
  context: ProviderContext,
  resumed?: NetlifyDeploy,
): Promise<{ id: string; needed: string[] }> {
  const isLarge = files.length > MAX_SYNC_FILES;
  // The id is in the title, so that a deploy whose answer was lost is found.
  const title = `${publication.message.slice(0, 200)} (${publication.id})`;
  const deploy =
    resumed ??
    (await createOnce(
      context,
      () =>
        netlify.create(title, {
          files: Object.fromEntries(files.map(({ path }) => [`/${path}`, hashes.get(path) ?? ''])),
          draft: publication.isPreview,
          async: isLarge,
        }),
      () => netlify.findByTitle(title),
    ));
  await context.resume.set({ tree, deployId: deploy.id } satisfies z.output<typeof Resumed>);
  const isReady = (seen: NetlifyDeploy): boolean =>
    seen.required !== undefined && (!isLarge || !['new', 'preparing', 'enqueued', 'accepted'].includes(seen.state));
  const prepared = isReady(deploy)
    ? deploy
    : await poll(context, `deploy "${deploy.id}" of Netlify`, async () => {
        const seen = await netlify.getDeploy(deploy.id);
        throwIfFailed(seen, context);
        return isReady(seen) || !OPEN_STATES.has(seen.state) ? seen : undefined;
      });
  throwIfFailed(prepared, context);
  return { id: prepared.id, needed: OPEN_STATES.has(prepared.state) ? [...new Set(prepared.required)] : [] };
}

async function upload(
  netlify: Netlify,
  id: string,
  needed: readonly string[],
  { files, hashes }: NetlifyState,
  { signal, progress }: ProviderContext,
  before = 0,
): Promise<void> {
  const bySha = filesByHash(files, hashes);
  let sent = before;
  await inParallel(needed, UPLOADS_AT_ONCE, signal, async (sha, either) => {
    const file = bySha.get(sha);
    if (!file) return;
    await netlify.upload(id, file, { signal: either, timeoutMs: UPLOAD_MS + file.sizeBytes / 128 });
    progress(++sent);
  });
}

/** With the last content the deploy closes: the same upload once more, after a lost answer, is refused. */
async function uploadLast(netlify: Netlify, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof HostError) || error.reason !== 'refused_input') throw error;
    const { state } = await netlify.getDeploy(id);
    if (OPEN_STATES.has(state) || FAILED_STATES.has(state)) throw error;
  }
}

function throwIfFailed({ id, state, error_message: why }: NetlifyDeploy, context: ProviderContext): void {
  if (!FAILED_STATES.has(state)) return;
  throw new HostError(
    'host_failed',
    `deploy "${id}" failed on Netlify${inParentheses(context, 'netlifyApiUrl', why || state)}; its own log at app.netlify.com says more`,
  );
}

function endOf(deploy: NetlifyDeploy, context: ProviderContext): NetlifyDeploy | undefined {
  throwIfFailed(deploy, context);
  return deploy.state === 'ready' ? deploy : undefined;
}

/** A site whose deploys are locked keeps the old one live although the new one is ready. */
async function restoreIfLocked(netlify: Netlify, id: string, { log }: ProviderContext): Promise<void> {
  const live = await netlify.getLiveId();
  if (live === undefined || live === id) return;
  log(`Netlify still shows deploy "${live}", as after a rollback or a lock; publishing "${id}"`);
  await netlify.restore(id);
}
