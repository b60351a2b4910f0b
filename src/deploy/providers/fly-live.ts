// A sync server on a machine of Fly with a volume: made at the first deploy, updated when this service brings a newer
// server, then fed with what changed. With `syncUrl` and no token nothing is made: the server there is used.
import { z } from 'zod';
import type { Problem } from '../../lib/errors.ts';
import type { SiteSettings } from '../../settings/settings.ts';
import { filePathProblem } from '../../sync/deploys/file-path.ts';
import { toOneFile } from '../../sync/one-file.ts';
import { SYNC_VERSION } from '../../sync/version.ts';
import { changedPlan, unchangedPlan } from '../files/plan.ts';
import { createFlyApi, type FlyApi } from '../fly/fly-api.ts';
import { ensureApp, ensureIps, ensureVolume, findMachine, ROLE, withRegions } from '../fly/fly-steps.ts';
import { toMachineConfig } from '../fly/machine-config.ts';
import { HostError } from './host-error.ts';
import type {
  DeployPlan,
  DeployProvider,
  ProviderContext,
  Publication,
  PublishedDeploy,
  PublishedFile,
} from './provider.ts';
import { createSyncClient, type SyncClient, type SyncPlan } from './sync-client.ts';

/** The release that `npm ci` brings too; an exact version's tag is not moved. */
export const NODE_IMAGE = 'node:24.21.0-slim';

const SYNC_ROLE = 'sync';
const SERVER_FILE = '/colophon/sync-server.mjs';
const PORT = 8080;
const MOUNT = '/srv';
const VERSION_KEY = 'colophon_version';
/** The server does not start with less. */
const MIN_SECRET_BYTES = 16;
/** A machine pulls its image and formats its volume first. */
const HEALTH_MS = 5 * 60_000;
const HEALTH_TRIES = 3;
const HEALTH_PAUSE_MS = 1000;
const SHOWN_PROBLEMS = 20;

export interface LivePlan {
  server: LiveServer;
  /** Why the machine must be made or changed first; undefined if the server is ready. */
  work: string | undefined;
  sync: SyncPlan | undefined;
}

interface LiveServer {
  app: string;
  url: string;
  client: SyncClient;
  /** Undefined if none answers. */
  version: number | undefined;
}

/** A deploy that is half sent, and where. */
const HalfSent = z.looseObject({ app: z.string(), url: z.string() });

export function createFlyLive(): DeployProvider {
  return {
    name: 'fly-live',
    label: 'Fly (live sync)',
    rules: 'redirects-file',
    hasPreviews: false,
    hasRollback: true,
    needsBuild: true,
    missing: missingForSync,
    refusals: ({ files }) => syncRefusals(files),
    plan: planLive,
    send: sendLive,
    publish: publishLive,
    rollback: rollBackLive,
    abandon: abandonLive,
  };
}

export function missingForSync({ flyToken, syncUrl, syncSecret }: SiteSettings): Problem[] {
  const missing: Problem[] = [];
  if (flyToken === '' && syncUrl === '') {
    missing.push({
      path: 'flyToken',
      message: 'is missing: a token of your Fly organisation; or syncUrl: the address of a sync server of your own',
    });
  }
  if (Buffer.byteLength(syncSecret) < MIN_SECRET_BYTES) {
    missing.push({
      path: 'syncSecret',
      message: `is missing: at least ${MIN_SECRET_BYTES} characters; it can be made on request`,
    });
  }
  return missing;
}

/** What the sync server would refuse, by name. */
export function syncRefusals(files: readonly PublishedFile[]): string[] {
  const problems = files.flatMap(({ path }) => {
    const problem = filePathProblem(path);
    return problem === undefined ? [] : [`the path ${JSON.stringify(path.slice(0, 100))} ${problem}`];
  });
  const more = problems.length - SHOWN_PROBLEMS;
  return more > 0 ? [...problems.slice(0, SHOWN_PROBLEMS), `and ${more} more`] : problems;
}

/** Changes nothing: a machine that is missing is made by `send`. */
export async function planLive({ files, siteId }: Publication, context: ProviderContext): Promise<DeployPlan> {
  const mayMake = context.settings.flyToken !== '';
  const server = await findServer(appOf(siteId, context.settings), context);
  let work = mayMake ? workOf(server) : undefined;
  let sync: SyncPlan | undefined;
  if (server.version !== undefined || !mayMake) {
    try {
      sync = await server.client.plan(files);
    } catch (error) {
      const isOtherSecret = error instanceof HostError && error.reason === 'refused_token';
      if (!isOtherSecret || !mayMake) throw error;
      work ??= 'the sync server has another secret: its machine gets the one of the settings';
    }
  }
  const state: LivePlan = { server, work, sync };
  const send = sync ? [...sync.added, ...sync.changed] : files;
  const isSame = sync !== undefined && sync.base !== null && send.length + sync.removed.length === 0;
  return isSame && work === undefined ? unchangedPlan(files.length, state) : changedPlan(files.length, send, state);
}

function workOf({ version }: LiveServer): string | undefined {
  if (version === undefined) return 'no sync server answers: its machine is made';
  if (version >= SYNC_VERSION) return undefined;
  return `the sync server has version ${version}: its machine is updated to ${SYNC_VERSION}, its data stay`;
}

export async function sendLive(plan: DeployPlan, { files }: Publication, context: ProviderContext): Promise<void> {
  const state = plan.state as LivePlan;
  if (state.work !== undefined) {
    context.log(state.work);
    await makeServer(state.server, context);
    state.sync = await state.server.client.plan(files);
  }
  await state.server.client.send(state.sync!);
}

export async function publishLive(plan: DeployPlan): Promise<PublishedDeploy> {
  const { client, url, app } = (plan.state as LivePlan).server;
  return { url: `${url}/`, hostId: `${await client.commit()}@${app}` };
}

export async function rollBackLive(hostId: string, context: ProviderContext): Promise<PublishedDeploy> {
  const at = hostId.lastIndexOf('@');
  const { client, url, app } = await findServer(hostId.slice(at + 1), context);
  return { url: `${url}/`, hostId: `${await client.rollback(hostId.slice(0, at))}@${app}` };
}

export async function abandonLive(context: ProviderContext): Promise<void> {
  const { data: halfSent } = HalfSent.safeParse(context.resume.get());
  if (halfSent) await connect(halfSent.app, halfSent.url, context).abandon();
}

/** The app is named after the site unless the settings name it. */
export function appOf(siteId: string, { flyAppName }: SiteSettings): string {
  return (flyAppName || `colophon-${siteId}`).toLowerCase();
}

/**
 * At the first of its addresses that answers: the app's own serves while the domain does not lead there yet. Without a
 * token the server is the operator's own, and its version does not matter: an older one still takes deploys.
 */
async function findServer(app: string, context: ProviderContext): Promise<LiveServer> {
  const { flyToken, syncUrl, flyDomain } = context.settings;
  const own = ownUrlOf(app);
  const places = syncUrl !== '' ? [syncUrl] : flyDomain === '' ? [own] : [`https://${flyDomain}`, own];
  const servers = places.map((url) => ({ app, url, client: connect(app, url, context), version: undefined }));
  const last = servers.at(-1)!;
  if (flyToken === '' && servers.length === 1) return last;
  // A machine that only restarts must not be made again.
  for (let tries = 1; ; tries++) {
    for (const server of servers) {
      const health = await server.client.findHealth();
      if (health) return { ...server, version: health.version };
    }
    if (tries === HEALTH_TRIES) return last;
    await context.delay(HEALTH_PAUSE_MS, context.signal);
  }
}

/** The address that Fly gives to an app. */
function ownUrlOf(app: string): string {
  return `https://${app}.fly.dev`;
}

/** What is half sent is remembered with its place: the settings may name another one by then. */
function connect(app: string, url: string, context: ProviderContext): SyncClient {
  const { resume } = context;
  return createSyncClient({
    url,
    secret: context.settings.syncSecret,
    isOwnAddress: url === ownUrlOf(app),
    context: {
      ...context,
      resume: {
        get: () => {
          const { data } = HalfSent.safeParse(resume.get());
          return data?.url === url ? data : undefined;
        },
        set: (value) => resume.set(value === null ? null : { ...(value as object), app, url }),
      },
    },
  });
}

async function makeServer({ app, client }: LiveServer, context: ProviderContext): Promise<void> {
  const { settings, log } = context;
  const { flyApiUrl, flyToken, flyOrg, flyRegion, flyVolumeName, flyVmSize, flyDomain, syncSecret } = settings;
  const api = createFlyApi({ context, baseUrl: flyApiUrl, token: flyToken, tokenSetting: 'flyToken' });
  await ensureApp(api, app, flyOrg);
  const machine = await findMachine(api, app, SYNC_ROLE);
  const volume = await ensureVolume(api, app, { name: flyVolumeName, region: flyRegion, machine: machine?.id });
  if (volume.region !== flyRegion) log(`volume "${volume.name}" is in region "${volume.region}": the machine too`);
  const minSecretsVersion = await api.setSecrets(app, { SYNC_SECRET: syncSecret });
  const config = toMachineConfig({
    image: NODE_IMAGE,
    vmSize: flyVmSize,
    env: { SITE_DATA_ROOT: MOUNT },
    command: ['node', SERVER_FILE],
    files: { [SERVER_FILE]: toOneFile() },
    volume: volume.id,
    mountPath: MOUNT,
    port: PORT,
    healthPath: '/_icd/health',
    metadata: { [ROLE]: SYNC_ROLE, [VERSION_KEY]: `${SYNC_VERSION}` },
  });
  const { id } = machine
    ? await api.updateMachine(app, machine.id, config, minSecretsVersion)
    : await api
        .createMachine(app, { name: 'sync', region: volume.region, config, minSecretsVersion })
        .catch(async (error: unknown) => {
          throw await withRegions(api, volume.region, error);
        });
  log(`machine "${id}" of app "${app}" is ${machine ? 'updated' : 'made'}`);
  const ips = await ensureIps(api, app);
  if (flyDomain !== '') await ensureDomain(api, app, flyDomain, ips, log);
  await api.waitForMachine(app, id);
  await client.waitForHealth({ version: SYNC_VERSION, timeoutMs: HEALTH_MS });
}

async function ensureDomain(
  api: FlyApi,
  app: string,
  domain: string,
  ips: readonly string[],
  log: (line: string) => void,
): Promise<void> {
  if (await api.ensureCertificate(app, domain)) return;
  const records = ips.map((ip) => `${ip.includes(':') ? 'AAAA' : 'A'} ${ip}`).join(', ');
  log(
    `"${domain}" has no certificate yet: point it to CNAME ${app}.fly.dev, or to ${records}; until then the site is at https://${app}.fly.dev`,
  );
}
