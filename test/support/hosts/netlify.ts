// A recorder of Netlify: deploys that list their files, contents that it asks for once in an account, and a deploy that
// goes live by itself with the last of them.
import { createHash } from 'node:crypto';
import { createNetlify } from '../../../src/deploy/providers/netlify.ts';
import {
  type Answer,
  type FakeHost,
  type HostCase,
  type HostRequestSeen,
  jsonOf,
  startFakeServer,
} from './fake-host.ts';

const TOKEN = 'netlify-token-secret';
const SITE = 'site-1';
/** With more of them and without `async` the request takes longer than the gateway waits. */
const MAX_SYNC_FILES = 500;

interface Deploy {
  id: string;
  title: string;
  files: Record<string, string>;
  isDraft: boolean;
  state: string;
  polls: number;
  isFailed: boolean;
}

export const NETLIFY: HostCase = {
  provider: createNetlify(),
  badNames: ['a#b.html', 'what?.html'],
  tooManyFiles: 100_001,
  canFail: true,
  start: startNetlify,
};

export interface RecordedNetlify extends FakeHost {
  /** Deploys do not go live by themselves. */
  lock(): void;
}

export async function startNetlify(): Promise<RecordedNetlify> {
  const stored = new Map<string, Buffer>();
  const deploys: Deploy[] = [];
  const received: string[] = [];
  let published: string | undefined;
  let isLocked = false;
  let failNext = false;

  function answer(request: HostRequestSeen): Answer {
    const { method, path, query, headers } = request;
    if (headers.authorization !== `Bearer ${TOKEN}`) return refuse(401);
    const site = `/sites/${SITE}`;
    if (method === 'PUT' && path.startsWith('/deploys/')) return store(request);
    const cancelled = /^\/deploys\/([^/]+)\/cancel$/.exec(path)?.[1];
    if (method === 'POST' && cancelled) return cancel(deploys.find(({ id }) => id === cancelled));
    if (path !== site && !path.startsWith(`${site}/`)) return refuse(404);
    const [kind, id, action] = path.slice(site.length + 1).split('/');
    if (method === 'GET' && !kind)
      return { status: 200, json: { id: SITE, published_deploy: published ? { id: published } : null } };
    if (method === 'GET' && kind === 'files') return list();
    if (kind !== 'deploys') return refuse(404);
    if (method === 'POST' && !id) return create(request, query.get('title') ?? '');
    if (method === 'GET' && !id) return { status: 200, json: deploys.toReversed().map(toJson) };
    const deploy = deploys.find((one) => one.id === id);
    if (!deploy) return refuse(404);
    if (method === 'GET' && !action) return show(deploy);
    if (method === 'POST' && action === 'restore' && deploy.state === 'ready') {
      published = deploy.id;
      return { status: 200, json: toJson(deploy) };
    }
    return refuse(422);
  }

  function create(request: HostRequestSeen, title: string): Answer {
    const {
      files,
      draft,
      async: isAsync,
    } = jsonOf(request) as { files: Record<string, string>; draft: boolean; async: boolean };
    const entries = Object.entries(files);
    if (entries.length > MAX_SYNC_FILES && !isAsync) return { status: 502, headers: { 'content-type': 'text/html' } };
    if (entries.some(([path, sha]) => !path.startsWith('/') || /[#?]/.test(path) || !/^[0-9a-f]{40}$/.test(sha)))
      return refuse(422);
    const id = `deploy-${deploys.length + 1}`;
    const deploy: Deploy = {
      id,
      title,
      files,
      isDraft: draft,
      state: isAsync ? 'preparing' : 'uploading',
      polls: 0,
      isFailed: failNext,
    };
    failNext = false;
    deploys.push(deploy);
    if (!isAsync && requiredOf(deploy).length === 0) deploy.state = 'processing';
    return { status: 200, json: isAsync ? { ...toJson(deploy), required: null } : toJson(deploy) };
  }

  function store({ path, headers, body }: HostRequestSeen): Answer {
    const [, , id, , ...rest] = path.split('/');
    const deploy = deploys.find((one) => one.id === id);
    if (!deploy) return refuse(404);
    const name = `/${rest.map(decodeURIComponent).join('/')}`;
    const sha = createHash('sha1').update(body).digest('hex');
    if (deploy.files[name] !== sha || !['uploading', 'prepared'].includes(deploy.state)) return refuse(422);
    if (headers['content-type'] !== 'application/octet-stream' || !headers['content-length']) return refuse(400);
    received.push(body.toString());
    stored.set(sha, body);
    if (requiredOf(deploy).length === 0) deploy.state = 'processing';
    return { status: 200, json: { id: name, sha } };
  }

  function show(deploy: Deploy): Answer {
    deploy.polls++;
    if (deploy.state === 'preparing' && deploy.polls > 1) {
      deploy.state = requiredOf(deploy).length > 0 ? 'prepared' : 'processing';
    } else if (deploy.state === 'processing') {
      deploy.state = deploy.isFailed ? 'error' : 'ready';
      if (deploy.state === 'ready' && !deploy.isDraft && !isLocked) published = deploy.id;
    }
    return { status: 200, json: toJson(deploy) };
  }

  function cancel(deploy: Deploy | undefined): Answer {
    if (!deploy) return refuse(404);
    if (['ready', 'error'].includes(deploy.state)) return refuse(422);
    deploy.state = 'error';
    return { status: 201, json: toJson(deploy) };
  }

  function list(): Answer {
    const live = deploys.find(({ id }) => id === published);
    if (!live) return refuse(404);
    return { status: 200, json: Object.entries(live.files).map(([path, sha]) => ({ path, sha })) };
  }

  function requiredOf({ files }: Deploy): string[] {
    return [...new Set(Object.values(files))].filter((sha) => !stored.has(sha));
  }

  function toJson(deploy: Deploy) {
    const { id, title, state } = deploy;
    const required = ['uploading', 'prepared'].includes(state) ? requiredOf(deploy) : [];
    const address = `https://${id}--journal.netlify.app`;
    return {
      id,
      title,
      state,
      required,
      ssl_url: 'https://journal.netlify.app',
      deploy_ssl_url: address,
      error_message: null,
    };
  }

  function textsOf(found: Deploy | undefined): Record<string, string> | undefined {
    if (found?.state !== 'ready') return undefined;
    return Object.fromEntries(
      Object.entries(found.files).map(([path, sha]) => [path.slice(1), stored.get(sha)?.toString() ?? '']),
    );
  }

  const server = await startFakeServer(answer);
  return Object.assign(server, {
    settings: { netlifyApiUrl: server.url, netlifyToken: TOKEN, netlifySiteId: SITE },
    secrets: [TOKEN],
    received,
    live: () => textsOf(deploys.find(({ id }) => id === published)),
    preview: () => textsOf(deploys.findLast(({ isDraft }) => isDraft)),
    publications: () => deploys.length,
    changeByOther() {
      const id = `deploy-${deploys.length + 1}`;
      deploys.push({ id, title: '', files: {}, isDraft: false, state: 'ready', polls: 0, isFailed: false });
      published = id;
    },
    failNext: () => void (failNext = true),
    lock: () => void (isLocked = true),
  });
}

function refuse(status: number): Answer {
  return { status, json: { code: status, message: `no (${status})` } };
}
