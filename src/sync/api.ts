// What the server answers below `/_icd/`: the deploys, to those who can sign, and its health to everybody.
import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createSlots } from '../lib/queues/slots.ts';
import type { PaceLimit } from '../lib/time/pace.ts';
import type { Authenticator } from './authenticate.ts';
import type { SyncDeploys } from './deploys/deploys.ts';
import { parseFilePath } from './deploys/file-path.ts';
import { FREE_BYTES, receiveFile, receiveText } from './deploys/upload.ts';
import type { TreeFiles } from './disk/tree.ts';
import { SyncRefusal } from './refusal.ts';
import { sha256Of } from './signature.ts';
import { SYNC_VERSION } from './version.ts';

export const API_ROOT = '/_icd/';

/** Bodies whose signature can only be checked once they are on the disk: so many at once, and not the last space. */
const UNVERIFIED = { atOnce: 4, waiting: 64, waitMs: 60_000, full: tooMany };
const FREE_FOR_VERIFIED_BYTES = 256 << 20;

/** Bodies that are held in memory: all that is signed, and what a stranger may make the server hold. */
const TEXT_BYTES = 64 << 10;
const UNVERIFIED_TEXT_BYTES = 4 << 10;
const NO_BODY = sha256Of('');

export interface ApiAnswer {
  status: number;
  body: object;
}

export interface SyncApiParts {
  deploys: SyncDeploys<unknown>;
  authenticator: Authenticator;
  /** Folder for bodies under way, on the same file system as the deploys. */
  uploads: string;
  /** Clients that send less than this are ended. */
  slowest: PaceLimit;
}

/** One call, its body received and its signature verified. */
interface SignedCall {
  query: string;
  id: string;
  body: Buffer;
}

type SyncOperation = (call: SignedCall) => Promise<ApiAnswer> | ApiAnswer;

/** @throws SyncRefusal */
export type SyncApi = (request: IncomingMessage, pathname: string, query: string) => Promise<ApiAnswer>;

export function createSyncApi({ deploys, authenticator, uploads, slowest }: SyncApiParts): SyncApi {
  const unverified = createSlots(UNVERIFIED);
  const ok = { status: 200, body: { ok: true } };

  const operations: Record<string, Record<string, SyncOperation>> = {
    manifest: {
      GET: () => {
        const live = deploys.live();
        return { status: 200, body: { deployId: live?.id ?? null, files: hashesOf(live?.files ?? new Map()) } };
      },
    },
    deploys: { POST: async () => ({ status: 201, body: await deploys.begin() }) },
    'deploys/:id': {
      DELETE: async ({ id }) => {
        await deploys.discard(id);
        return ok;
      },
    },
    'deploys/:id/manifest': {
      GET: ({ id }) => ({ status: 200, body: { deployId: id, files: hashesOf(deploys.filesOf(id)) } }),
    },
    'deploys/:id/commit': {
      POST: async ({ id }) => {
        await deploys.commit(id);
        return { status: 200, body: { deployId: id } };
      },
    },
    'deploys/:id/files': {
      DELETE: async ({ id, query }) => {
        await deploys.remove(id, parseFilePath(query));
        return ok;
      },
    },
    rollback: {
      POST: async ({ body }) => ({ status: 200, body: { deployId: await deploys.rollback(parseRollback(body)) } }),
    },
  };

  /** Verifies the call before its body is received, if the client says the body's hash; the memory takes little else. */
  async function receiveSigned(request: IncomingMessage): Promise<Buffer> {
    const claim = authenticator.parse(request);
    const sha256 = claim.sha256 ?? (isBodyless(request) ? NO_BODY : undefined);
    if (sha256 !== undefined) await authenticator.verify(request, claim, sha256);
    const limitBytes = sha256 === undefined ? UNVERIFIED_TEXT_BYTES : TEXT_BYTES;
    const body = await receiveText(request, { limitBytes, slowest });
    const found = sha256Of(body);
    if (sha256 === undefined) await authenticator.verify(request, claim, found);
    else if (found !== sha256) throw notTheSigned();
    return body;
  }

  /** A file: the only body that goes to the disk. */
  async function putFile(request: IncomingMessage, id: string, query: string): Promise<ApiAnswer> {
    const claim = authenticator.parse(request);
    const check = (): string => {
      deploys.checkStaged(id);
      return parseFilePath(query);
    };
    const receive = async (freeBytes: number, verified: string | undefined): Promise<void> => {
      const upload = await receiveFile(request, { folder: uploads, freeBytes, slowest });
      try {
        if (verified === undefined) await authenticator.verify(request, claim, upload.sha256);
        else if (verified !== upload.sha256) throw notTheSigned();
        await deploys.put(id, check(), upload);
      } catch (error) {
        await fs.promises.rm(upload.temporary, { force: true });
        throw error;
      }
    };
    if (claim.sha256 === undefined) {
      // Only who signed its beginning knows the id of a staged deploy: strangers get no place and no space.
      if (deploys.isStaged(id)) await unverified.run(() => receive(FREE_FOR_VERIFIED_BYTES, undefined));
      else {
        await receiveSigned(request);
        check();
      }
    } else {
      await authenticator.verify(request, claim, claim.sha256);
      check();
      await receive(FREE_BYTES, claim.sha256);
    }
    return ok;
  }

  return async (request, pathname, query) => {
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    const [first = '', id = '', ...rest] = pathname.slice(API_ROOT.length).split('/');
    if (first === 'health' && pathname === `${API_ROOT}health` && method === 'GET') {
      return { status: 200, body: { ok: true, version: SYNC_VERSION } };
    }
    const name = [first, ...(id === '' ? [] : [':id']), ...rest].join('/');
    if (name === 'deploys/:id/files' && method === 'PUT') return putFile(request, id, query);
    const body = await receiveSigned(request);
    const found = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!found) throw new SyncRefusal(404, 'there is no such operation');
    const operation = Object.hasOwn(found, method) ? found[method] : undefined;
    if (operation) return operation({ query, id, body });
    const allow = [...Object.keys(found), ...(name === 'deploys/:id/files' ? ['PUT'] : [])].join(', ');
    throw new SyncRefusal(405, `use ${allow}`, { allow });
  };
}

function isBodyless({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function notTheSigned(): SyncRefusal {
  return new SyncRefusal(401, 'the body is not the one that was signed');
}

function tooMany(): SyncRefusal {
  return new SyncRefusal(503, 'too many bodies arrive whose hash was not said in advance', { 'retry-after': '10' });
}

function hashesOf(files: TreeFiles): Record<string, string> {
  return Object.fromEntries(Array.from(files, ([path, { sha256 }]) => [path, sha256]));
}

/** An empty body, `{}` or `{deployId}`. @throws SyncRefusal 400 */
function parseRollback(body: Buffer): string | undefined {
  if (body.length === 0) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyncRefusal(400, 'the body is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new SyncRefusal(400, 'the body is not an object');
  }
  const { deployId } = parsed as { deployId?: unknown };
  if (deployId === undefined || deployId === null) return undefined;
  if (typeof deployId !== 'string') throw new SyncRefusal(400, 'deployId is not a text');
  return deployId;
}
