// A recorder of Cloudflare Pages: contents by their blake3, sent with a token that expires, and deployments by stages.
import { blake3 } from '@noble/hashes/blake3.js';
import { createCloudflarePages } from '../../../src/deploy/providers/cloudflare-pages.ts';
import {
  type Answer,
  type FakeHost,
  type HostCase,
  type HostRequestSeen,
  jsonOf,
  startFakeServer,
} from './fake-host.ts';

const TOKEN = 'cloudflare-token-secret';
const PROJECTS = '/accounts/account-1/pages/projects';
const MAX_FILE_BYTES = 25 << 20;
const MAX_BUCKET_BYTES = 40 << 20;
const MAX_BUCKET_FILES = 2000;
const MAX_MESSAGE_BYTES = 384;
const RULES = ['_headers', '_redirects', '_routes.json'];

interface Deployment {
  id: string;
  files: Record<string, string>;
  isProduction: boolean;
  message: string;
  polls: number;
  isFailed: boolean;
}

export const CLOUDFLARE: HostCase = {
  provider: createCloudflarePages(),
  badNames: ['a#b.html', 'what?.html'],
  tooLargeBytes: MAX_FILE_BYTES + 1,
  tooManyFiles: 100_001,
  canFail: true,
  start: startCloudflare,
};

export interface RecordedCloudflare extends FakeHost {
  /** The upload tokens that were given out are not good any more. */
  expireTokens(): void;
  maxFiles: number | undefined;
}

export async function startCloudflare(): Promise<RecordedCloudflare> {
  const stored = new Map<string, Buffer>();
  let deployments: Deployment[] = [];
  let hasProject = false;
  let canonical: string | undefined;
  let generation = 0;
  let failNext = false;
  const received: string[] = [];

  async function answer(request: HostRequestSeen): Promise<Answer> {
    const { method, path, headers } = request;
    if (path.startsWith('/pages/assets/')) return assets(request);
    if (headers.authorization !== `Bearer ${TOKEN}`) return refuse(401, 10000);
    if (method === 'POST' && path === PROJECTS) {
      if (hasProject) return refuse(409, 8000002);
      hasProject = true;
      return good({});
    }
    const [name, kind, id, action] = path.slice(PROJECTS.length + 1).split('/');
    if (!path.startsWith(PROJECTS) || name !== 'journal' || !hasProject) return refuse(404, 8000007);
    if (method === 'GET' && !kind)
      return good({ production_branch: 'main', canonical_deployment: canonical ? { id: canonical } : null });
    if (method === 'GET' && kind === 'upload-token') return good({ jwt: makeToken() });
    if (kind !== 'deployments') return refuse(404, 8000007);
    if (method === 'POST' && !id) return create(request);
    if (method === 'GET' && !id) return good(deployments.toReversed().map(toJson));
    const deployment = deployments.find((one) => one.id === id);
    if (!deployment) return refuse(404, 8000009);
    if (method === 'GET' && !action) return show(deployment);
    if (method === 'GET' && action === 'history') return good({ data: [{ line: 'Failed: out of luck' }] });
    if (method === 'POST' && action === 'rollback') {
      if (!deployment.isProduction || deployment.isFailed) return refuse(400, 8000070);
      canonical = id;
      return good(toJson(deployment));
    }
    if (method !== 'DELETE' || canonical === id) return refuse(400, 8000034);
    deployments = deployments.filter((one) => one !== deployment);
    return good(null);
  }

  function makeToken(): string {
    const claims = { generation, ...(host.maxFiles === undefined ? {} : { max_file_count_allowed: host.maxFiles }) };
    return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.upload-secret`;
  }

  function assets(request: HostRequestSeen): Answer {
    if (request.headers.authorization !== `Bearer ${makeToken()}`) return refuse(400, 8000013);
    if (request.path.endsWith('/upload')) return store(request);
    const { hashes } = jsonOf(request) as { hashes: string[] };
    if (!hashes.every((hash) => /^[0-9a-f]{32}$/.test(hash))) return refuse(400, 8000000);
    return good(request.path.endsWith('/check-missing') ? hashes.filter((hash) => !stored.has(hash)) : null);
  }

  function store({ body }: HostRequestSeen): Answer {
    const all = JSON.parse(body.toString()) as {
      key: string;
      value: string;
      metadata: { contentType: string };
      base64: boolean;
    }[];
    const contents = all.map(({ value }) => Buffer.from(value, 'base64'));
    const sizeBytes = contents.reduce((sum, { length }) => sum + length, 0);
    if (all.length > MAX_BUCKET_FILES || sizeBytes > MAX_BUCKET_BYTES) return refuse(413, 8000001);
    if (contents.some(({ length }) => length > MAX_FILE_BYTES)) return refuse(413, 8000001);
    if (!all.every(({ base64, metadata }) => base64 && metadata.contentType)) return refuse(400, 8000000);
    for (const [index, { key }] of all.entries()) {
      const bytes = contents[index] ?? Buffer.alloc(0);
      received.push(bytes.toString());
      stored.set(key, bytes);
    }
    return good(null);
  }

  async function create({ headers, body }: HostRequestSeen): Promise<Answer> {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();
    const manifest = JSON.parse(`${form.get('manifest')}`) as Record<string, string>;
    const message = `${form.get('commit_message')}`;
    if (Buffer.byteLength(message) > MAX_MESSAGE_BYTES) return refuse(400, 8000001);
    for (const [path, hash] of Object.entries(manifest)) {
      const bytes = stored.get(hash);
      if (!bytes || !path.startsWith('/') || hash !== hashOf(bytes, path)) return refuse(400, 8000096);
    }
    const files = Object.fromEntries(
      Object.entries(manifest).map(([path, hash]) => [path.slice(1), stored.get(hash)?.toString() ?? '']),
    );
    for (const rule of RULES) {
      const file = form.get(rule);
      if (file instanceof File) files[rule] = await file.text();
    }
    const id = `cf-${deployments.length + 1}`;
    const deployment = {
      id,
      files,
      isProduction: form.get('branch') === 'main',
      message,
      polls: 0,
      isFailed: failNext,
    };
    failNext = false;
    deployments.push(deployment);
    return good(toJson(deployment));
  }

  function show(deployment: Deployment): Answer {
    deployment.polls++;
    if (deployment.polls > 1 && !deployment.isFailed && deployment.isProduction) canonical = deployment.id;
    return good(toJson(deployment));
  }

  function toJson({ id, polls, isFailed, message }: Deployment) {
    const stage =
      polls < 2 ? { name: 'queued', status: 'active' } : { name: 'deploy', status: isFailed ? 'failure' : 'success' };
    return {
      id,
      url: `https://${id}.journal.pages.dev`,
      aliases: null,
      latest_stage: stage,
      deployment_trigger: { metadata: { commit_message: message } },
    };
  }

  const server = await startFakeServer(answer);
  const host: RecordedCloudflare = Object.assign(server, {
    settings: { cloudflareApiUrl: server.url, cloudflareToken: TOKEN, cloudflareAccountId: 'account-1' },
    secrets: [TOKEN, 'upload-secret'],
    received,
    live: () => deployments.find(({ id }) => id === canonical)?.files,
    preview: () => deployments.findLast(({ isProduction }) => !isProduction)?.files,
    publications: () => deployments.length,
    changeByOther() {
      const id = `cf-${deployments.length + 1}`;
      deployments.push({ id, files: {}, isProduction: true, message: '', polls: 9, isFailed: false });
      canonical = id;
    },
    failNext: () => void (failNext = true),
    expireTokens: () => void generation++,
    maxFiles: undefined as number | undefined,
  });
  return host;
}

function hashOf(bytes: Buffer, path: string): string {
  const [, extension = ''] = /[^/]\.([^./]*)$/.exec(path) ?? [];
  return Buffer.from(blake3(Buffer.from(bytes.toString('base64') + extension)))
    .toString('hex')
    .slice(0, 32);
}

function good(result: unknown): Answer {
  return { status: 200, json: { success: true, errors: [], result } };
}

function refuse(status: number, code: number): Answer {
  return { status, json: { success: false, errors: [{ code, message: `no (${code})` }], result: null } };
}
