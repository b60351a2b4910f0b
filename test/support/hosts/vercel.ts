// A recorder of Vercel: files by their sha1, deployments that name them, aliases that move unless a rollback holds them.
import { createHash } from 'node:crypto';
import { createVercel } from '../../../src/deploy/providers/vercel.ts';
import {
  type Answer,
  type FakeHost,
  type HostCase,
  type HostRequestSeen,
  jsonOf,
  startFakeServer,
} from './fake-host.ts';

const TOKEN = 'vercel-token-secret';
const TEAM = 'team_1';
const PROJECT = 'prj_1';
/** `redirects`, `rewrites` and `headers` together. */
const MAX_ROUTES = 2048;
const STATES = ['QUEUED', 'BUILDING', 'READY'];

interface Deployment {
  id: string;
  files: { file: string; sha: string; size: number }[];
  target: string | undefined;
  meta: unknown;
  polls: number;
  isFailed: boolean;
  isCancelled: boolean;
}

export const VERCEL: HostCase = {
  provider: createVercel(),
  badNames: [],
  tooLargeBytes: (1 << 30) + 1,
  tooManyFiles: 100_001,
  canFail: true,
  start: startVercel,
};

export interface RecordedVercel extends FakeHost {
  /** Vercel loses what it stored. */
  forgetFiles(): void;
}

export async function startVercel(): Promise<RecordedVercel> {
  const stored = new Map<string, Buffer>();
  const deployments: Deployment[] = [];
  let production: string | undefined;
  let isHeld = false;
  let failNext = false;
  const received: string[] = [];

  function answer(request: HostRequestSeen): Answer {
    const { method, path, query, headers } = request;
    if (headers.authorization !== `Bearer ${TOKEN}` || query.get('teamId') !== TEAM) return refuse(403, 'forbidden');
    const call = `${method} ${path}`;
    const id = path.split('/').find((part) => part.startsWith('dpl_'));
    if (call === 'POST /v2/files') return store(request);
    if (call === 'POST /v13/deployments') return create(request);
    if (call === 'GET /v6/deployments') {
      const list = deployments.toReversed().map(({ id: uid, meta }) => ({ uid, meta }));
      return { status: 200, json: { deployments: list } };
    }
    if (method === 'GET' && path === '/v9/projects/journal') return project();
    const deployment = deployments.find((one) => one.id === id);
    if (!deployment) return refuse(404, 'not_found');
    if (method === 'GET' && path === `/v13/deployments/${id}`) return show(deployment);
    if (call === `PATCH /v12/deployments/${id}/cancel`) {
      if (stateOf(deployment) === 'READY') return refuse(400, 'bad_request');
      deployment.isCancelled = true;
      return show(deployment);
    }
    if (
      call === `POST /v1/projects/${PROJECT}/rollback/${id}` ||
      call === `POST /v10/projects/${PROJECT}/promote/${id}`
    ) {
      if (deployment.target !== 'production' || production === id) return refuse(409, 'conflict');
      production = id;
      isHeld = path.startsWith('/v1/');
      return { status: 201 };
    }
    return refuse(404, 'not_found');
  }

  function store({ headers, body }: HostRequestSeen): Answer {
    const digest = headers['x-vercel-digest'];
    const sha = createHash('sha1').update(body).digest('hex');
    if (digest !== sha || headers['content-length'] !== `${body.length}`) return refuse(400, 'bad_request');
    received.push(body.toString());
    stored.set(sha, body);
    return { status: 200, json: { urls: [] } };
  }

  function create(request: HostRequestSeen): Answer {
    const { name, files, target, meta, projectSettings } = jsonOf(request) as unknown as Deployment &
      Record<string, unknown>;
    if (name !== 'journal' || !Array.isArray(files) || !projectSettings) return refuse(400, 'bad_request');
    const names = new Set(files.map(({ file }) => file));
    if (names.size !== files.length || [...names].some((file) => file.startsWith('/')))
      return refuse(400, 'bad_request');
    const missing = [...new Set(files.map(({ sha }) => sha))].filter((sha) => !stored.has(sha));
    if (missing.length > 0)
      return { status: 400, json: { error: { code: 'missing_files', message: 'Missing files', missing } } };
    if (files.some(({ sha, size }) => stored.get(sha)?.length !== size)) return refuse(400, 'bad_request');
    const config = files.find(({ file }) => file === 'vercel.json');
    if (config && !isAcceptable(stored.get(config.sha)?.toString() ?? '')) return refuse(400, 'bad_request');
    const id = `dpl_${deployments.length + 1}`;
    deployments.push({ id, files, target, meta, polls: 0, isFailed: failNext, isCancelled: false });
    failNext = false;
    return { status: 200, json: { id, url: `${id}.vercel.app`, readyState: 'QUEUED' } };
  }

  function project(): Answer {
    if (deployments.length === 0) return refuse(404, 'not_found');
    return { status: 200, json: { id: PROJECT, targets: production ? { production: { id: production } } : {} } };
  }

  function show(deployment: Deployment): Answer {
    deployment.polls++;
    const readyState = stateOf(deployment);
    // Aliases move one poll after READY.
    const aliasAssigned = readyState === 'READY' && deployment.polls > STATES.length;
    if (aliasAssigned && deployment.target === 'production' && !isHeld && isNewest(deployment))
      production = deployment.id;
    const { id } = deployment;
    const alias = deployment.target === 'production' ? ['journal.example'] : [];
    return { status: 200, json: { id, url: `${id}.vercel.app`, projectId: PROJECT, readyState, aliasAssigned, alias } };
  }

  function isNewest({ id }: Deployment): boolean {
    return deployments.findLast(({ target }) => target === 'production')?.id === id;
  }

  function textsOf(found: Deployment | undefined): Record<string, string> | undefined {
    return found && Object.fromEntries(found.files.map(({ file, sha }) => [file, stored.get(sha)?.toString() ?? '']));
  }

  const server = await startFakeServer(answer);
  return Object.assign(server, {
    settings: { vercelApiUrl: server.url, vercelToken: TOKEN, vercelTeamId: TEAM, vercelProject: 'journal' },
    secrets: [TOKEN],
    received,
    live: () => textsOf(deployments.find(({ id }) => id === production)),
    preview: () => textsOf(deployments.findLast(({ target }) => target === undefined)),
    publications: () => deployments.length,
    changeByOther() {
      const id = `dpl_${deployments.length + 1}`;
      deployments.push({
        id,
        files: [],
        target: 'production',
        meta: {},
        polls: 9,
        isFailed: false,
        isCancelled: false,
      });
      production = id;
    },
    failNext: () => void (failNext = true),
    forgetFiles: () => stored.clear(),
  });
}

function stateOf({ polls, isFailed, isCancelled }: Deployment): string {
  if (isCancelled) return 'CANCELED';
  const state = STATES[Math.min(polls, STATES.length) - 1] ?? 'QUEUED';
  return isFailed && state === 'READY' ? 'ERROR' : state;
}

function isAcceptable(text: string): boolean {
  const { routes, redirects = [], rewrites = [], headers = [] } = JSON.parse(text) as Record<string, unknown[]>;
  const all = [...redirects, ...rewrites, ...headers];
  return all.length <= MAX_ROUTES && !(routes && all.length > 0);
}

function refuse(status: number, code: string): Answer {
  return { status, json: { error: { code, message: `no (${code})` } } };
}
