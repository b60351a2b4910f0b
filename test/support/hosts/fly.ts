// The machines API of Fly, in memory. It refuses what Fly refuses: a taken name, a volume of another region, an update
// under someone else's lease, too many requests a second. A machine with an injected server really runs it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const FLY_TOKEN = 'FlyV1_secret_token';

export interface RecordedFlyApp {
  organization: string;
  machines: Map<string, RecordedMachine>;
  volumes: Map<string, RecordedVolume>;
  ips: { ip: string; shared: boolean }[];
  secrets: Record<string, string>;
  secretsVersion: number;
  certificates: Map<string, { polls: number }>;
}

export interface RecordedMachine {
  id: string;
  name: string;
  region: string;
  config: RecordedMachineConfig;
  state: string;
  /** The secrets that it sees. */
  secrets: Record<string, string>;
  boots: number;
  lease: { nonce: string } | undefined;
}

export interface RecordedMachineConfig {
  image?: string;
  env?: Record<string, string>;
  init?: { cmd: string[] };
  files?: { guest_path: string; raw_value: string }[];
  mounts?: { volume: string; path: string }[];
  metadata?: Record<string, string>;
  guest?: Record<string, unknown>;
  services?: Record<string, unknown>[];
}

export interface RecordedVolume {
  id: string;
  name: string;
  region: string;
  machine: string | null;
}

export interface RecordedFly extends AsyncDisposable {
  /** `flyApiUrl`. */
  url: string;
  /** Where machines with an injected server are reached. */
  siteUrl: string;
  /** `POST /apps` and the like, without queries. */
  requests: string[];
  apps: Map<string, RecordedFlyApp>;
  /** Names that others have. */
  foreign: Set<string>;
  organizations: string[];
  fullRegions: Set<string>;
  isRevoked: boolean;
  /** How many polls see a machine that is not started, or whose checks do not pass. */
  pollsToStart: number;
  /** Checks never pass. */
  isBroken: boolean;
  /** The certificate is issued at this poll. */
  pollsToIssue: number;
  /** The clock for the rate; without one any number of requests is answered. */
  now: (() => number) | undefined;
  /** Answers in place of Fly if it returns true. */
  mood: (action: string, req: IncomingMessage, res: ServerResponse) => boolean;
  /** Cuts the connection after Fly has done this. */
  isLost: (action: string) => boolean;
}

interface Asked {
  method: string;
  parts: string[];
  body: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}
type Replied = [status: number, body?: unknown];

const REGIONS = ['arn', 'ams', 'fra', 'sea', 'sin'];

export async function startFly(): Promise<RecordedFly> {
  const folder = mkdtempSync(path.join(tmpdir(), 'colophon-fly-'));
  const sitePort = await findFreePort();
  const running = new Map<string, ChildProcess>();
  const rates = new Map<string, number>();
  let polls = 0;
  let ids = 0;
  const nextId = (prefix: string): string => `${prefix}${(++ids).toString(16).padStart(6, '0')}`;

  const server = createServer((req, res) => void answer(req, res).catch((error: Error) => res.destroy(error)));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname } = new URL(req.url ?? '/', 'http://fly');
    const action = `${req.method} ${pathname}`;
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    fly.requests.push(action);
    if (fly.mood(action, req, res)) return;
    const text = Buffer.concat(chunks).toString();
    const [status, body] =
      req.headers.authorization !== `Bearer ${FLY_TOKEN}` || fly.isRevoked
        ? refuse(401, 'unauthorized')
        : isTooFast(action)
          ? refuse(429, 'rate limited')
          : reply({
              method: req.method ?? '',
              parts: pathname.split('/').slice(1).map(decodeURIComponent),
              body: text ? JSON.parse(text) : {},
              headers: req.headers,
            });
    if (fly.isLost(action)) return void req.socket.destroy();
    res.writeHead(status, { 'content-type': 'application/json', 'fly-request-id': nextId('01H') });
    res.end(body === undefined ? '' : JSON.stringify(body));
  }

  /** One a second and three in a burst; to read a machine five a second and ten in a burst. */
  function isTooFast(action: string): boolean {
    if (!fly.now) return false;
    const [burst, everyMs] = /^GET .*\/machines\/[^/]+$/.test(action) ? [10, 200] : [3, 1000];
    const at = fly.now();
    const wholeAt = Math.max(at, rates.get(action) ?? 0) + everyMs;
    if (wholeAt - at > burst * everyMs) return true;
    rates.set(action, wholeAt);
    return false;
  }

  function reply({ method, parts, body, headers }: Asked): Replied {
    const [first, name = '', kind, id = '', verb] = parts;
    if (first === 'tokens') return [200, { tokens: fly.organizations.map((slug) => ({ org_slug: slug })) }];
    if (first === 'platform') return [200, { Regions: REGIONS.map((code) => ({ code, name: code.toUpperCase() })) }];
    if (first !== 'apps') return refuse(404, 'unknown');
    if (name === '') return method === 'POST' ? createApp(body) : refuse(404, 'unknown');
    const app = fly.apps.get(name);
    if (!app) return fly.foreign.has(name) ? refuse(403, 'unknown') : refuse(404, 'unknown');
    if (kind === undefined) {
      if (method !== 'DELETE') return [200, { name, organization: { slug: app.organization } }];
      for (const machine of app.machines.keys()) stop(machine);
      fly.apps.delete(name);
      return [202];
    }
    if (kind === 'ip_assignments') return replyIps(app, method, id, body);
    if (kind === 'volumes') return replyVolumes(app, method, id, body);
    if (kind === 'secrets') return replySecrets(app, method, body);
    if (kind === 'certificates') return replyCertificates(app, method, id, verb, body);
    if (kind === 'machines') return replyMachines(app, method, id, verb, body, headers);
    return refuse(404, 'unknown');
  }

  function createApp({ app_name: name, org_slug: organization }: Record<string, unknown>): Replied {
    if (typeof name !== 'string' || !/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) return refuse(422, 'unknown');
    if (!fly.organizations.includes(`${organization}`)) return refuse(403, 'unknown');
    if (fly.apps.has(name) || fly.foreign.has(name)) return refuse(422, 'name_taken');
    fly.apps.set(name, {
      organization: `${organization}`,
      machines: new Map(),
      volumes: new Map(),
      ips: [],
      secrets: {},
      secretsVersion: 0,
      certificates: new Map(),
    });
    return [201, { id: nextId('app'), created_at: 0 }];
  }

  function replyIps(app: RecordedFlyApp, method: string, ip: string, { type }: Record<string, unknown>): Replied {
    if (method === 'GET') return [200, { ips: app.ips }];
    if (method === 'DELETE') {
      app.ips = app.ips.filter((found) => found.ip !== ip);
      return [204];
    }
    if (type !== 'shared_v4' && type !== 'v6') return refuse(400, 'unknown');
    const made = type === 'v6' ? { ip: `2a09:8280:1::${++ids}`, shared: false } : { ip: '66.241.124.1', shared: true };
    app.ips.push(made);
    return [200, { ...made, region: 'global' }];
  }

  function replyVolumes(app: RecordedFlyApp, method: string, id: string, body: Record<string, unknown>): Replied {
    const show = ({ machine, ...volume }: RecordedVolume) => ({
      ...volume,
      state: 'created',
      attached_machine_id: machine,
    });
    if (method === 'GET') return [200, [...app.volumes.values()].map(show)];
    if (method === 'DELETE') {
      if (app.volumes.get(id)?.machine) return refuse(422, 'unknown');
      return app.volumes.delete(id) ? [200, {}] : refuse(404, 'unknown');
    }
    const { name, region, size_gb: size } = body;
    if (!/^[a-z0-9_]{1,30}$/.test(`${name}`) || typeof size !== 'number') return refuse(422, 'unknown');
    if (!REGIONS.includes(`${region}`)) return refuse(422, 'unknown');
    if (fly.fullRegions.has(`${region}`)) return refuse(422, 'insufficient_capacity');
    const volume = { id: nextId('vol_'), name: `${name}`, region: `${region}`, machine: null };
    app.volumes.set(volume.id, volume);
    return [200, show(volume)];
  }

  function replySecrets(app: RecordedFlyApp, method: string, { values }: Record<string, unknown>): Replied {
    const names = () => Object.keys(app.secrets).map((name) => ({ name, digest: 'd1' }));
    if (method === 'GET') return [200, { secrets: names() }];
    for (const [name, value] of Object.entries(values as Record<string, string | null>)) {
      if (value === null) delete app.secrets[name];
      else app.secrets[name] = value;
    }
    return [200, { secrets: names(), version: ++app.secretsVersion }];
  }

  function replyCertificates(
    app: RecordedFlyApp,
    method: string,
    host: string,
    verb: string | undefined,
    { hostname }: Record<string, unknown>,
  ): Replied {
    if (method === 'POST' && host === 'acme') {
      app.certificates.set(`${hostname}`, { polls: 0 });
      return [201, { hostname, configured: false }];
    }
    const found = app.certificates.get(host);
    if (!found) return refuse(404, 'unknown');
    if (verb === 'check') found.polls++;
    return [200, { hostname: host, configured: found.polls >= fly.pollsToIssue }];
  }

  function replyMachines(
    app: RecordedFlyApp,
    method: string,
    id: string,
    verb: string | undefined,
    body: Record<string, unknown>,
    headers: IncomingMessage['headers'],
  ): Replied {
    if (id === '') return method === 'GET' ? [200, [...app.machines.values()].map(show)] : createMachine(app, body);
    const machine = app.machines.get(id);
    if (!machine) return refuse(404, 'unknown');
    const nonce = headers['fly-machine-lease-nonce'];
    if (verb === 'lease') return replyLease(machine, method, nonce);
    if (verb === 'wait') {
      machine.state = ++polls > fly.pollsToStart ? 'started' : 'starting';
      return machine.state === 'started' ? [200, { ok: true }] : refuse(408, 'unknown');
    }
    if (method === 'GET') return [200, show(machine)];
    if (machine.lease && machine.lease.nonce !== nonce) return refuse(409, 'unknown');
    if (method === 'DELETE') {
      stop(id);
      app.machines.delete(id);
      for (const volume of app.volumes.values()) if (volume.machine === id) volume.machine = null;
      return [200, { ok: true }];
    }
    const config = body.config as RecordedMachineConfig;
    const problem = problemOf(app, config, machine);
    if (problem) return problem;
    machine.config = config;
    machine.secrets = { ...app.secrets };
    boot(machine);
    return [200, show(machine)];
  }

  function createMachine(app: RecordedFlyApp, body: Record<string, unknown>): Replied {
    const config = body.config as RecordedMachineConfig;
    const region = `${body.region}`;
    const problem = problemOf(app, config, { region });
    if (problem) return problem;
    if (Number(body.min_secrets_version ?? 0) > app.secretsVersion) return refuse(422, 'unknown');
    if ([...app.machines.values()].some(({ name }) => name === body.name)) return refuse(409, 'already_exists');
    if (fly.fullRegions.has(`machines ${region}`)) return refuse(412, 'insufficient_capacity');
    const machine: RecordedMachine = {
      id: nextId('e784'),
      name: `${body.name}`,
      region,
      config,
      state: 'created',
      secrets: { ...app.secrets },
      boots: 0,
      lease: undefined,
    };
    for (const { volume } of config.mounts ?? []) app.volumes.get(volume)!.machine = machine.id;
    app.machines.set(machine.id, machine);
    boot(machine);
    return [200, show(machine)];
  }

  function problemOf(
    app: RecordedFlyApp,
    config: RecordedMachineConfig,
    machine: { id?: string; region: string },
  ): Replied | undefined {
    if (!config?.image || !config.guest || 'size' in config.guest) return refuse(422, 'unknown');
    for (const { volume } of config.mounts ?? []) {
      const found = app.volumes.get(volume);
      if (!found || found.region !== machine.region) return refuse(422, 'unknown');
      if (found.machine !== null && found.machine !== machine.id) return refuse(422, 'unknown');
    }
    return undefined;
  }

  function replyLease(machine: RecordedMachine, method: string, nonce: unknown): Replied {
    if (method === 'DELETE') {
      if (machine.lease?.nonce !== nonce) return refuse(409, 'unknown');
      machine.lease = undefined;
      return [200, { ok: true }];
    }
    if (machine.lease) return refuse(409, 'unknown');
    machine.lease = { nonce: nextId('nonce') };
    return [201, { status: 'success', data: { nonce: machine.lease.nonce, expires_at: 0 } }];
  }

  function show({ id, name, region, config, state }: RecordedMachine) {
    const isPassing = state === 'started' && !fly.isBroken;
    const repository = config.image?.replace(/[:@].*$/, '') ?? '';
    const digest = config.image?.includes('@') ? config.image.split('@')[1] : `sha256:${'e'.repeat(64)}`;
    return {
      id,
      name,
      region,
      state,
      config,
      image_ref: { registry: 'docker.io', repository: repository.replace(/^docker\.io\//, ''), digest },
      checks: [{ name: 'health', status: isPassing ? 'passing' : 'critical', output: isPassing ? 'ok' : 'refused' }],
    };
  }

  /** Runs the injected server, with the volume as a folder. */
  function boot(machine: RecordedMachine): void {
    stop(machine.id);
    machine.boots++;
    machine.state = 'starting';
    polls = 0;
    const [command, script = ''] = machine.config.init?.cmd ?? [];
    const injected = machine.config.files?.find(({ guest_path: place }) => place === script);
    if (command !== 'node' || !injected) return;
    const { volume = '', path: mount = '' } = machine.config.mounts?.[0] ?? {};
    const root = path.join(folder, volume);
    mkdirSync(root, { recursive: true });
    const file = path.join(folder, `${machine.id}.mjs`);
    writeFileSync(file, Buffer.from(injected.raw_value, 'base64'));
    const env = { ...machine.config.env, ...machine.secrets };
    for (const [name, value] of Object.entries(env)) if (value === mount) env[name] = root;
    const child = spawn(process.execPath, [file], {
      env: { PATH: process.env.PATH, ...env, HOST: '127.0.0.1', PORT: `${sitePort}` },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.set(machine.id, child);
  }

  function stop(machine: string): void {
    running.get(machine)?.kill('SIGKILL');
    running.delete(machine);
  }

  const fly: RecordedFly = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    siteUrl: `http://127.0.0.1:${sitePort}`,
    requests: [],
    apps: new Map(),
    foreign: new Set(),
    organizations: ['personal'],
    fullRegions: new Set(),
    isRevoked: false,
    pollsToStart: 1,
    isBroken: false,
    pollsToIssue: 1,
    now: undefined,
    mood: () => false,
    isLost: () => false,
    async [Symbol.asyncDispose]() {
      for (const machine of running.keys()) stop(machine);
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
  return fly;
}

function refuse(status: number, code: string): Replied {
  return [status, { error: `refused: ${code}`, status: code }];
}

async function findFreePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
