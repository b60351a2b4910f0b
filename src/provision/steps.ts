// The steps of a provisioning, in their order. Each looks before it makes, and notes what it makes, so that another try
// goes on where this one ended.
import { randomBytes } from 'node:crypto';
import { type FlyApi, NoCapacityError } from '../deploy/fly/fly-api.ts';
import type { FlyVolume } from '../deploy/fly/fly-shapes.ts';
import { ensureApp, ensureIps, ensureVolume, findMachine, withRegions } from '../deploy/fly/fly-steps.ts';
import { HostError } from '../deploy/providers/host-error.ts';
import { type GivenKeys, PROVISION_STEPS, type ProvisionStep } from './input.ts';
import { CONFIG_PATH, PROVISION_KEY, SERVICE_ROLE, SERVICE_VOLUME, toServiceConfig } from './machine.ts';
import type { MadeThings, Provision } from './provision.ts';

export interface StepParts {
  provision: Provision;
  api: FlyApi;
  setupToken: string;
  /** Keys of AI services that the new service gets. */
  aiKeys: GivenKeys;
  /** As it is noted now. */
  made(): MadeThings;
  /** Durable once it resolves. */
  note(change: (made: MadeThings) => MadeThings): Promise<void>;
  /** Called as a step begins and as it ends, with a sentence for people. */
  report(step: ProvisionStep, status: 'running' | 'done', message: string): Promise<void>;
}

interface Found {
  volume: FlyVolume;
  machine: string;
  secretsVersion: number | undefined;
}

type RunStep = (parts: StepParts, found: Found) => Promise<string>;

const DESCRIPTIONS: Record<ProvisionStep, string> = {
  app: 'Creating the app',
  volume: 'Creating the volume',
  secrets: 'Setting the secrets',
  machine: 'Starting the machine',
  ip: 'Assigning addresses',
  health: 'Waiting for the service',
};

/** A machine pulls its image, and the service writes its site. */
const HEALTH_MS = 5 * 60_000;

const RUN: Record<ProvisionStep, RunStep> = {
  async app({ provision, api, note }) {
    const { appName, flyOrg } = provision;
    let isNew = false;
    try {
      await ensureApp(api, appName, flyOrg, {
        async app() {
          isNew = true;
          await note((made) => ({ ...made, app: true }));
        },
      });
    } catch (error) {
      // Nothing of it exists; a request that may have arrived stays noted.
      const isRefused =
        error instanceof HostError && ['conflict', 'refused_token', 'refused_input'].includes(error.reason);
      if (isNew && isRefused) await note((made) => ({ ...made, app: false }));
      throw error;
    }
    // An app that has machines of others is not taken over.
    await findMachine(api, appName, SERVICE_ROLE);
    return isNew ? `app "${appName}" is made` : `app "${appName}" exists`;
  },

  async volume({ provision, api, note }, found) {
    const { appName, region } = provision;
    const machine = (await findMachine(api, appName, SERVICE_ROLE))?.id;
    found.volume = await ensureVolume(
      api,
      appName,
      { name: SERVICE_VOLUME, region, machine },
      { volume: (id) => note((made) => ({ ...made, volumes: [...made.volumes, id] })) },
    );
    return `volume "${SERVICE_VOLUME}" is in region "${found.volume.region}"`;
  },

  async secrets({ provision, api, setupToken, aiKeys, note }, found) {
    const { appName } = provision;
    const known = new Set(await api.listSecrets(appName));
    const lasting = {
      CMS_CONFIG_PATH: CONFIG_PATH,
      CMS_JWT_SECRET: randomBytes(32).toString('base64url'),
      NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
      ...aiKeys,
    };
    // Those that are set stay: they end sessions when they change. The set-up link needs a token that we know.
    const missing = Object.entries(lasting).filter(([name]) => !known.has(name));
    const values = { ...Object.fromEntries(missing), CMS_SETUP_TOKEN: setupToken };
    const fresh = Object.keys(values).filter((name) => !known.has(name));
    await note((made) => ({ ...made, secrets: [...new Set([...made.secrets, ...fresh])] }));
    found.secretsVersion = await api.setSecrets(appName, values);
    return `${Object.keys(values).length} secrets are set`;
  },

  async machine({ provision, api, made, note }, found) {
    const { appName, id: provisionId } = provision;
    const { volume, secretsVersion } = found;
    const config = toServiceConfig(provision, volume.id);
    const machine = await findMachine(api, appName, SERVICE_ROLE);
    const noteMachine = (id: string): Promise<void> =>
      note((things) => ({ ...things, machines: [...new Set([...things.machines, id])] }));
    if (machine) {
      if (machine.config?.metadata?.[PROVISION_KEY] === provisionId) await noteMachine(machine.id);
      // It gets the new set-up token.
      await api.updateMachine(appName, machine.id, config, secretsVersion);
      found.machine = machine.id;
      return `machine "${machine.id}" is updated`;
    }
    const wish = { name: SERVICE_ROLE, region: volume.region, config, minSecretsVersion: secretsVersion };
    try {
      const { id } = await api.createMachine(appName, wish);
      await noteMachine(id);
      found.machine = id;
      return `machine "${id}" starts in region "${volume.region}"`;
    } catch (error) {
      if (error instanceof NoCapacityError && made().volumes.includes(volume.id)) {
        // Another try may name another region, and an empty volume would hold it here.
        await api.deleteVolume(appName, volume.id);
        await note((things) => ({ ...things, volumes: things.volumes.filter((id) => id !== volume.id) }));
      }
      throw await withRegions(api, volume.region, error);
    }
  },

  async ip({ provision, api, note }) {
    const ips = await ensureIps(api, provision.appName, {
      ip: (ip) => note((made) => ({ ...made, ips: [...made.ips, ip] })),
    });
    return `the app has ${ips.length} addresses`;
  },

  async health({ provision, api }, found) {
    await api.waitForMachine(provision.appName, found.machine);
    await api.waitForChecks(provision.appName, found.machine, HEALTH_MS);
    return 'the service answers';
  },
};

/** The last reported step is where it ended. @throws HostError */
export async function runSteps(parts: StepParts): Promise<void> {
  const found = {} as Found;
  for (const step of PROVISION_STEPS) {
    await parts.report(step, 'running', DESCRIPTIONS[step]);
    await parts.report(step, 'done', await RUN[step](parts, found));
  }
}
