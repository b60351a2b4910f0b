// A machine of Fly with the site's own image (`flyImage`) and the volume at /data; without an image it is the sync server
// of fly-live.ts. The image serves the site by itself: a deploy gives it the commit to show, and restarts it.

import { unchangedPlan } from '../files/plan.ts';
import { createFlyApi, type FlyApi } from '../fly/fly-api.ts';
import type { FlyMachine } from '../fly/fly-shapes.ts';
import { ensureApp, ensureIps, ensureVolume, findMachine, ROLE, withRegions } from '../fly/fly-steps.ts';
import { toMachineConfig } from '../fly/machine-config.ts';
import {
  abandonLive,
  appOf,
  missingForSync,
  planLive,
  publishLive,
  rollBackLive,
  sendLive,
  syncRefusals,
} from './fly-live.ts';
import type { DeployPlan, DeployProvider, ProviderContext, PublishedDeploy } from './provider.ts';

const IMAGE_ROLE = 'image';
const PORT = 8080;
/** A machine pulls its image first. */
const CHECKS_MS = 5 * 60_000;
const MOUNT = '/data';
const COMMIT_KEY = 'colophon_commit';
const IMAGE_KEY = 'colophon_image';
/** Marks the ids of published images; those of the sync server have no such beginning. */
const IMAGE_ID = 'image ';

interface ImagePlan {
  app: string;
  image: string;
  commit: string;
}

export function createFly(): DeployProvider {
  return {
    name: 'fly',
    label: 'Fly',
    rules: 'redirects-file',
    hasPreviews: false,
    hasRollback: true,
    needsBuild: true,
    missing(settings) {
      if (settings.flyImage === '') return missingForSync(settings);
      return settings.flyToken === ''
        ? [{ path: 'flyToken', message: 'is missing: a token of your Fly organisation' }]
        : [];
    },
    refusals: ({ files }) => syncRefusals(files),
    async plan(publication, context) {
      const { settings } = context;
      if (settings.flyImage === '') return planLive(publication, context);
      const app = appOf(publication.siteId, settings);
      const { commit, siteId } = publication;
      const state: ImagePlan = { app, image: settings.flyImage, commit };
      const isSame = isRunning(await findRunning(app, context), state);
      // The image has the site in it, or fetches it: no file goes to the machine.
      const plan = unchangedPlan(publication.files.length, { ...state, siteId });
      return { ...plan, isUnchanged: isSame };
    },
    async send(plan, publication, context) {
      if (!isImagePlan(plan)) await sendLive(plan, publication, context);
    },
    async publish(plan, publication, context) {
      if (!isImagePlan(plan)) return publishLive(plan);
      return runImage(plan.state, publication.siteId, context);
    },
    async rollback(hostId, context) {
      if (!hostId.startsWith(IMAGE_ID)) return rollBackLive(hostId, context);
      const [app = '', image = '', commit = '', siteId = ''] = hostId.slice(IMAGE_ID.length).split(' ');
      return runImage({ app, image, commit }, siteId, context);
    },
    abandon: abandonLive,
  };
}

function isImagePlan(plan: DeployPlan): plan is DeployPlan & { state: ImagePlan } {
  return typeof plan.state === 'object' && plan.state !== null && 'image' in plan.state;
}

function connect({ settings, ...context }: ProviderContext): FlyApi {
  const { flyApiUrl, flyToken } = settings;
  return createFlyApi({ context, baseUrl: flyApiUrl, token: flyToken, tokenSetting: 'flyToken' });
}

async function findRunning(app: string, context: ProviderContext): Promise<FlyMachine | undefined> {
  const api = connect(context);
  const found = await api.findApp(app);
  return found === 'ours' ? findMachine(api, app, IMAGE_ROLE) : undefined;
}

function isRunning(machine: FlyMachine | undefined, { image, commit }: ImagePlan): boolean {
  const { metadata } = machine?.config ?? {};
  return machine?.state === 'started' && metadata?.[IMAGE_KEY] === image && metadata?.[COMMIT_KEY] === commit;
}

async function runImage(
  { app, image, commit }: ImagePlan,
  siteId: string,
  context: ProviderContext,
): Promise<PublishedDeploy> {
  const { settings, log } = context;
  const { flyOrg, flyRegion, flyVolumeName, flyVmSize, flyDomain } = settings;
  const api = connect(context);
  await ensureApp(api, app, flyOrg);
  const machine = await findMachine(api, app, IMAGE_ROLE);
  const volume = await ensureVolume(api, app, { name: flyVolumeName, region: flyRegion, machine: machine?.id });
  const config = toMachineConfig({
    image,
    vmSize: flyVmSize,
    env: { CMS_SITE: siteId, CMS_COMMIT: commit },
    volume: volume.id,
    mountPath: MOUNT,
    port: PORT,
    healthPath: '/',
    metadata: { [ROLE]: IMAGE_ROLE, [IMAGE_KEY]: image, [COMMIT_KEY]: commit },
  });
  const { id, image_ref: ref } = machine
    ? await api.updateMachine(app, machine.id, config)
    : await api.createMachine(app, { name: 'site', region: volume.region, config }).catch(async (error: unknown) => {
        throw await withRegions(api, volume.region, error);
      });
  log(`machine "${id}" of app "${app}" runs ${image}`);
  await ensureIps(api, app);
  const hasDomain = flyDomain !== '' && (await api.ensureCertificate(app, flyDomain));
  if (flyDomain !== '' && !hasDomain) log(`"${flyDomain}" has no certificate yet: point it to CNAME ${app}.fly.dev`);
  await api.waitForMachine(app, id);
  await api.waitForChecks(app, id, CHECKS_MS);
  // By digest, because a tag may have moved by the time of a rollback.
  const digest =
    ref?.digest && ref.repository ? `${ref.registry ?? 'docker.io'}/${ref.repository}@${ref.digest}` : image;
  const url = hasDomain ? `https://${flyDomain}/` : `https://${app}.fly.dev/`;
  return { url, hostId: `${IMAGE_ID}${[app, digest, commit, siteId].join(' ')}` };
}
