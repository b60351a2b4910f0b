// The machines API of Fly (docs.machines.dev): one function for each call that deploys and provisioning make. Keeps to
// the rate of one request a second for each action; decides nothing.
import { z } from 'zod';
import { errorCodeOf } from '../providers/host-answer.ts';
import { HostError } from '../providers/host-error.ts';
import { isOwnAddress } from '../providers/own-address.ts';
import type { ProviderContext } from '../providers/provider.ts';
import { toRefusal } from '../providers/refusal.ts';
import { createHostClient, type HostRequest } from '../providers/request.ts';
import { createFlyPace } from './fly-pace.ts';
import {
  FlyCertificate,
  FlyIps,
  FlyLease,
  FlyMachine,
  FlyMachines,
  FlyRegions,
  FlySecretNames,
  FlySecretsSet,
  FlyTokens,
  FlyVolume,
  FlyVolumes,
  type MachineConfig,
} from './fly-shapes.ts';

export interface FlyApiParts {
  context: Pick<ProviderContext, 'fetch' | 'delay' | 'now' | 'signal' | 'log' | 'limits'>;
  baseUrl: string;
  token: string;
  /** For errors. */
  tokenSetting: string;
}

/** Calls reject with HostError. */
export interface FlyApi {
  /** The organisations of the token: their slugs. */
  listOrganizations(): Promise<string[]>;
  listRegions(): Promise<{ code: string; name: string }[]>;
  /** Names are unique over all of Fly: `foreign` is an app that the token may not see. */
  findApp(app: string): Promise<'ours' | 'foreign' | undefined>;
  /** @throws HostError `conflict` if the name is taken */
  createApp(app: string, organization: string): Promise<void>;
  deleteApp(app: string): Promise<void>;
  listIps(app: string): Promise<FlyIps['ips']>;
  assignIp(app: string, type: 'shared_v4' | 'v6'): Promise<string>;
  releaseIp(app: string, ip: string): Promise<void>;
  listVolumes(app: string): Promise<FlyVolumes>;
  createVolume(app: string, volume: { name: string; region: string; sizeGb: number }): Promise<FlyVolume>;
  deleteVolume(app: string, id: string): Promise<void>;
  listMachines(app: string): Promise<FlyMachines>;
  createMachine(app: string, machine: NewMachine): Promise<FlyMachine>;
  /** Replaces the whole configuration, under a lease: the machine restarts. */
  updateMachine(app: string, id: string, config: MachineConfig, minSecretsVersion?: number): Promise<FlyMachine>;
  /** Waits until the machine is started, which does not mean that it serves. */
  waitForMachine(app: string, id: string): Promise<void>;
  /** Waits until the machine's own checks pass. */
  waitForChecks(app: string, id: string, timeoutMs: number): Promise<void>;
  deleteMachine(app: string, id: string): Promise<void>;
  /** Returns the version that a machine must have to see them. */
  setSecrets(app: string, values: Record<string, string | null>): Promise<number | undefined>;
  listSecrets(app: string): Promise<string[]>;
  /** Looks before it makes; returns whether the certificate is issued, which needs the domain to lead to the app. */
  ensureCertificate(app: string, hostname: string): Promise<boolean>;
}

export interface NewMachine {
  name: string;
  region: string;
  config: MachineConfig;
  minSecretsVersion?: number | undefined;
}

const LEASE_SECONDS = 120;
const WAIT_SECONDS = 60;
const STARTS_TRIES = 5;
const CHECK_PAUSE_MS = 2000;
const CAPACITY_STATUSES = [409, 412, 422, 503];

/** Fly has no room in the region now; another one may have. */
export class NoCapacityError extends HostError {
  override name = 'NoCapacityError';
}

/** One function, because each call is a few lines over the same client, pace and paths. */
export function createFlyApi({ context, baseUrl, token, tokenSetting }: FlyApiParts): FlyApi {
  const isOwn = isOwnAddress('flyApiUrl', baseUrl);
  const names = { label: 'Fly', token, tokenSetting, baseUrlSetting: 'flyApiUrl' as const, baseUrl };
  const client = createHostClient({
    ...names,
    context: isOwn ? { ...context, fetch: loggingRequestIds(context) } : context,
  });
  const pace = createFlyPace(context);
  const at = (app: string, rest = ''): string => `/apps/${encodeURIComponent(app)}${rest}`;

  async function send(action: string, request: HostRequest) {
    await pace(action);
    return client.send(request);
  }

  async function read<T>(action: string, request: HostRequest, shape: z.ZodType<T>): Promise<T> {
    await pace(action);
    return client.read(request, shape);
  }

  /** Makes something that takes room on Fly's machines. */
  async function make<T>(request: HostRequest, shape: z.ZodType<T>): Promise<T> {
    const answer = await send(`POST ${request.path}`, { ...request, method: 'POST', expect: CAPACITY_STATUSES });
    if (answer.status >= 400) {
      const refusal = toRefusal(names, request, answer);
      const { reason, message, status } = refusal;
      throw errorCodeOf(answer.json) === 'insufficient_capacity'
        ? new NoCapacityError(reason, message, { status })
        : refusal;
    }
    const parsed = shape.safeParse(answer.json);
    if (parsed.success) return parsed.data;
    throw new HostError('host_failed', `Fly answers ${request.what} in another form than documented`);
  }

  const get = <T>(path: string, what: string, shape: z.ZodType<T>): Promise<T> =>
    read(`GET ${path}`, { method: 'GET', path, what }, shape);
  const remove = async (path: string, what: string): Promise<void> => {
    // What is gone already needs no removal.
    await send(`DELETE ${path}`, { method: 'DELETE', path, what, expect: [404], isJson: false });
  };

  async function withLease<T>(
    app: string,
    id: string,
    work: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T> {
    const path = at(app, `/machines/${id}/lease`);
    const { data } = await read(
      `POST ${path}`,
      {
        method: 'POST',
        path,
        what: `a lease of machine "${id}"`,
        body: { json: { ttl: LEASE_SECONDS, description: 'Colophon deploys' } },
        advice: { 409: 'another deploy changes this machine: wait two minutes, then deploy again' },
      },
      FlyLease,
    );
    const headers = { 'fly-machine-lease-nonce': data.nonce };
    try {
      return await work(headers);
    } finally {
      // A lease that cannot be given back ends by itself.
      const what = `the end of the lease of machine "${id}"`;
      await client.send({ method: 'DELETE', path, what, headers, isJson: false }).catch((error: unknown) => {
        if (error instanceof HostError) context.log(error.message);
      });
    }
  }

  return {
    async listOrganizations() {
      const { tokens } = await get('/tokens/current', 'the organisation of the token', FlyTokens);
      return [...new Set(tokens.flatMap(({ org_slug: slug }) => (slug ? [slug] : [])))];
    },
    async listRegions() {
      const { Regions } = await get('/platform/regions', 'the regions', FlyRegions);
      return Regions.map(({ code, name }) => ({ code, name: name ?? code }));
    },
    async findApp(app) {
      const request = { method: 'GET', path: at(app), what: `the app "${app}"`, expect: [403, 404] } as const;
      const { status } = await send(`GET ${request.path}`, request);
      if (status === 404) return undefined;
      return status === 403 ? 'foreign' : 'ours';
    },
    async createApp(app, organization) {
      const { status } = await send('POST /apps', {
        method: 'POST',
        path: '/apps',
        what: `the new app "${app}"`,
        body: { json: { app_name: app, name: app, org_slug: organization } },
        expect: [409, 422],
        advice: { 403: 'the token may not create apps: use one of the organisation' },
      });
      if (status === 422 || status === 409)
        throw new HostError('conflict', `Fly does not take "${app}" as a name`, { status });
    },
    deleteApp: (app) => remove(`${at(app)}?force=true`, `the removal of app "${app}"`),
    async listIps(app) {
      return (await get(at(app, '/ip_assignments'), `the addresses of "${app}"`, FlyIps)).ips;
    },
    async assignIp(app, type) {
      const path = at(app, '/ip_assignments');
      const what = `an address for "${app}"`;
      const { ip } = await read(
        `POST ${path}`,
        { method: 'POST', path, what, body: { json: { type } } },
        z.object({ ip: z.string() }),
      );
      return ip;
    },
    releaseIp: (app, ip) => remove(at(app, `/ip_assignments/${encodeURIComponent(ip)}`), `the release of "${ip}"`),
    listVolumes: (app) => get(at(app, '/volumes'), `the volumes of "${app}"`, FlyVolumes),
    createVolume(app, { name, region, sizeGb }) {
      const path = at(app, '/volumes');
      const json = { name, region, size_gb: sizeGb, encrypted: true };
      return make({ method: 'POST', path, what: `volume "${name}"`, body: { json } }, FlyVolume);
    },
    deleteVolume: (app, id) => remove(at(app, `/volumes/${id}`), `the removal of volume "${id}"`),
    listMachines: (app) => get(at(app, '/machines'), `the machines of "${app}"`, FlyMachines),
    createMachine(app, { name, region, config, minSecretsVersion }) {
      const path = at(app, '/machines');
      const json = { name, region, config, min_secrets_version: minSecretsVersion };
      return make({ method: 'POST', path, what: `machine "${name}"`, body: { json } }, FlyMachine);
    },
    updateMachine(app, id, config, minSecretsVersion) {
      const path = at(app, `/machines/${id}`);
      const what = `the update of machine "${id}"`;
      const json = { config, min_secrets_version: minSecretsVersion };
      return withLease(app, id, (headers) =>
        read(`POST ${path}`, { method: 'POST', path, what, headers, body: { json }, isRepeatable: true }, FlyMachine),
      );
    },
    async waitForMachine(app, id) {
      const path = at(app, `/machines/${id}/wait`);
      for (let tries = 1; ; tries++) {
        const { status } = await send(`GET ${path}`, {
          method: 'GET',
          path,
          query: { state: 'started', timeout: `${WAIT_SECONDS}` },
          what: `the start of machine "${id}"`,
          expect: [408],
          timeoutMs: (WAIT_SECONDS + 15) * 1000,
        });
        if (status !== 408) return;
        if (tries === STARTS_TRIES) {
          throw new HostError('timeout', `machine "${id}" does not start: look at its log with "fly logs -a ${app}"`);
        }
      }
    },
    async waitForChecks(app, id, timeoutMs) {
      const path = at(app, `/machines/${id}`);
      const until = context.now().getTime() + timeoutMs;
      for (;;) {
        const { checks } = await read(`GET ${path}`, { method: 'GET', path, what: `machine "${id}"` }, FlyMachine);
        if (checks?.every(({ status }) => status === 'passing')) return;
        if (context.now().getTime() >= until) {
          const output = checks?.find(({ status }) => status !== 'passing')?.output?.slice(0, 200);
          const said = output && isOwn ? ` (${output})` : '';
          throw new HostError(
            'timeout',
            `machine "${id}" runs and does not answer as it should${said}: look at its log with "fly logs -a ${app}"`,
          );
        }
        await context.delay(CHECK_PAUSE_MS, context.signal);
      }
    },
    deleteMachine: (app, id) => remove(`${at(app, `/machines/${id}`)}?force=true`, `the removal of machine "${id}"`),
    async setSecrets(app, values) {
      const path = at(app, '/secrets');
      const what = `the secrets of "${app}"`;
      const body = { json: { values } };
      const request = { method: 'POST', path, what, body, isRepeatable: true } as const;
      return (await read(`POST ${path}`, request, FlySecretsSet)).version ?? undefined;
    },
    async listSecrets(app) {
      return (await get(at(app, '/secrets'), `the secrets of "${app}"`, FlySecretNames)).secrets.map(
        ({ name }) => name,
      );
    },
    async ensureCertificate(app, hostname) {
      const path = at(app, `/certificates/${encodeURIComponent(hostname)}`);
      const what = `the certificate of "${hostname}"`;
      const { status } = await send(`GET ${path}`, { method: 'GET', path, what, expect: [404] });
      if (status === 404) {
        const acme = at(app, '/certificates/acme');
        await send(`POST ${acme}`, { method: 'POST', path: acme, what, body: { json: { hostname } }, expect: [409] });
      }
      const check = { method: 'POST', path: `${path}/check`, what, isRepeatable: true } as const;
      return (await read(`POST ${path}/check`, check, FlyCertificate)).configured === true;
    },
  };
}

/** Fly's support asks for this id. */
function loggingRequestIds({ fetch, log }: FlyApiParts['context']): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const id = response.headers.get('fly-request-id');
    if (response.status >= 400 && response.status !== 404 && id)
      log(`Fly: status ${response.status}, fly-request-id ${id}`);
    return response;
  };
}
