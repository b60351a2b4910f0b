// Git LFS's client for the site's remote: bytes of media go to the host before the push that names them, and come from
// there with commits that bring them (https://github.com/git-lfs/git-lfs/blob/main/docs/api). The host's answers say
// what it needs, so that each object is sent once, also after a kill. Memory holds one batch and what is on its way.
import type { IncomingMessage } from 'node:http';
import type { NewPointer } from '../repository/new-pointers.ts';
import { quoteHost, RemoteError } from './error.ts';
import { createLfsHttp, type LfsHttp, type LfsHttpOptions, type LfsRequest } from './lfs-http.ts';

/** The site's media bytes. */
export interface RemoteBytes {
  sizeOf(sha256: string): Promise<number | undefined>;
  read(sha256: string): AsyncIterable<Buffer>;
  /** Stores bytes; rejects if `source` has other bytes. */
  restore(sha256: string, source: AsyncIterable<Buffer>): Promise<void>;
  /** The files of the newest commit, whether or not their bytes are here. */
  named(): AsyncIterable<NewPointer>;
}

/** A file whose bytes did not come, and why. */
export interface AbsentFile {
  path: string;
  sha256: string;
  why: string;
}

export interface RemoteLfs {
  /** Sends what the host lacks. Returns files whose bytes are not here either. Rejects with RemoteError. */
  send(pointers: readonly NewPointer[]): Promise<string[]>;
  /**
   * Fetches what is missing here. Returns the files whose bytes the host does not have, or not whole. Rejects with
   * RemoteError if the host does not answer.
   */
  bring(pointers: readonly NewPointer[]): Promise<AbsentFile[]>;
  /** Whether the host has Git LFS, as its last answer says; undefined before the first one. */
  readonly isThere: boolean | undefined;
  /** Asks for this object alone, so that `isThere` is known. */
  probe(pointer: NewPointer): Promise<void>;
  /** Breaks off what is on its way; later calls are rejected. */
  close(): void;
}

interface HostAction {
  href: string;
  header?: Record<string, string>;
  expires_at?: string;
  expires_in?: number;
}

interface HostObject {
  oid: string;
  actions?: Partial<Record<'upload' | 'download' | 'verify', HostAction>>;
  error?: { code?: number; message?: string };
}

/** What the host says of one object, which says nothing about the others. */
class ObjectFailure extends RemoteError {}

/** Our own disk: no other object would fare better. */
class DiskFailure extends RemoteError {}

interface LfsSession {
  http: LfsHttp;
  bytes: RemoteBytes;
  endpoint: string;
  nowMs(): number;
  /** Notes whether the host has Git LFS. */
  note(isThere: boolean): void;
}

const BATCH = 100;
const AT_ONCE = 4;
const WHY_CHARS = 200;
const ANSWER_BYTES = 4 << 20;
/** An address that ends sooner is asked for again. */
const MARGIN_MS = 5000;
const LFS_TYPE = 'application/vnd.git-lfs+json';
/** A git host without Git LFS. */
const WITHOUT = new Set([404, 405, 410, 501]);

export function createRemoteLfs(options: LfsHttpOptions, bytes: RemoteBytes, nowMs: () => number): RemoteLfs {
  const open = new Set<LfsHttp>();
  let isClosed = false;
  let isThere: boolean | undefined;

  async function inSession<T>(run: (session: LfsSession) => Promise<T>): Promise<T> {
    if (isClosed) throw new RemoteError('failed', 'the service is shutting down');
    const http = createLfsHttp(options, AT_ONCE);
    open.add(http);
    const address = options.url.replace(/\/+$/, '');
    const endpoint = `${address}${address.endsWith('.git') ? '' : '.git'}/info/lfs/objects/batch`;
    try {
      return await run({ http, bytes, endpoint, nowMs, note: (found) => (isThere = found) });
    } finally {
      open.delete(http);
      http.close();
    }
  }

  return {
    async send(pointers) {
      const missing: string[] = [];
      const here: NewPointer[] = [];
      for (const pointer of pointers) {
        if ((await bytes.sizeOf(pointer.sha256)) === pointer.sizeBytes) here.push(pointer);
        else missing.push(pointer.path);
      }
      if (here.length > 0) await inSession((session) => transfer(session, 'upload', here, upload));
      return missing;
    },
    async bring(pointers) {
      const wanted = new Map<string, NewPointer>();
      for (const pointer of pointers) {
        if ((await bytes.sizeOf(pointer.sha256)) === undefined) wanted.set(pointer.sha256, pointer);
      }
      if (wanted.size === 0) return [];
      return inSession((session) => transfer(session, 'download', [...wanted.values()], download));
    },
    get isThere() {
      return isThere;
    },
    probe: (pointer) => inSession(async (session) => void (await askBatch(session, 'download', [pointer]))),
    close() {
      isClosed = true;
      for (const http of open) http.close();
    },
  };
}

type Transfer = (
  session: LfsSession,
  pointer: NewPointer,
  actions: NonNullable<HostObject['actions']>,
) => Promise<void>;

/**
 * Returns the objects that did not come: those that the host lacks or has damaged, all of them if it has no Git LFS. An
 * object without any answer is one of them if others were answered; if none was, the host is out of reach.
 */
async function transfer(
  session: LfsSession,
  operation: 'upload' | 'download',
  pointers: readonly NewPointer[],
  run: Transfer,
): Promise<AbsentFile[]> {
  const absent: AbsentFile[] = [];
  const silent: { pointer: NewPointer; error: RemoteError }[] = [];
  let answered = 0;
  const miss = ({ path, sha256 }: NewPointer, why: string): void => void absent.push({ path, sha256, why });
  for (let at = 0; at < pointers.length; at += BATCH) {
    let left = pointers.slice(at, at + BATCH);
    while (left.length > 0) {
      const askedMs = session.nowMs();
      const answers = await askBatch(session, operation, left);
      if (!answers) {
        if (operation === 'download') for (const pointer of pointers) miss(pointer, 'the host has no Git LFS');
        return absent;
      }
      const late: NewPointer[] = [];
      await inParallel(left, async (pointer) => {
        const { actions, error } = answers.get(pointer.sha256) ?? {};
        if (error) {
          const said = error.message ?? `error ${error.code}`;
          if (operation === 'upload') throw objectError(session, pointer, said);
          answered++;
          miss(pointer, quoteHost(session.http.redact(said), WHY_CHARS));
          return;
        }
        const action = actions?.[operation];
        if (!action && operation === 'upload') return;
        if (!action && operation === 'download') return miss(pointer, 'the host gives no address for it');
        if (!action) throw objectError(session, pointer, 'it gives no address for it');
        // A new address is tried whatever it says: the clocks of the two may differ.
        const isNew = session.nowMs() <= askedMs + MARGIN_MS;
        if (!isNew && session.nowMs() > expiryOf(action, askedMs)) late.push(pointer);
        else if (operation === 'upload') await run(session, pointer, actions!);
        else {
          try {
            await run(session, pointer, actions!);
            answered++;
          } catch (failure) {
            if (!(failure instanceof RemoteError) || failure instanceof DiskFailure) throw failure;
            if (failure instanceof ObjectFailure || failure.failure === 'refused') {
              answered++;
              miss(pointer, failure.message);
            } else if (!session.http.isClosed()) {
              silent.push({ pointer, error: failure });
              if (answered === 0 && silent.length >= AT_ONCE) throw failure;
            } else throw failure;
          }
        }
      });
      left = late;
    }
  }
  if (answered === 0 && silent[0]) throw silent[0].error;
  for (const { pointer, error } of silent) miss(pointer, error.message);
  return absent;
}

function expiryOf({ expires_in: inSeconds, expires_at: at }: HostAction, askedMs: number): number {
  if (inSeconds) return askedMs + inSeconds * 1000 - MARGIN_MS;
  const atMs = at ? Date.parse(at) : Number.NaN;
  // A year that stands for never, as some hosts send it.
  return Number.isNaN(atMs) || atMs < 0 ? Number.POSITIVE_INFINITY : atMs - MARGIN_MS;
}

/** Undefined if the host has no Git LFS. */
async function askBatch(
  session: LfsSession,
  operation: 'upload' | 'download',
  pointers: readonly NewPointer[],
): Promise<Map<string, HostObject> | undefined> {
  const { http, endpoint } = session;
  const objects = pointers.map(({ sha256, sizeBytes }) => ({ oid: sha256, size: sizeBytes }));
  const response = await http.send(
    jsonRequest(endpoint, { operation, transfers: ['basic'], hash_algo: 'sha256', objects }),
  );
  const { statusCode = 0 } = response;
  if (WITHOUT.has(statusCode)) {
    session.note(false);
    response.destroy();
    return undefined;
  }
  if (statusCode !== 200) throw await http.refusal(endpoint, response);
  const text = await readText(session, response);
  try {
    const answer = JSON.parse(text) as { objects: HostObject[] };
    const objects = new Map(answer.objects.map((object) => [object.oid, object]));
    session.note(true);
    return objects;
  } catch {
    throw new RemoteError('failed', `the host does not answer like Git LFS: ${quoteHost(http.redact(text), 120)}`);
  }
}

const upload: Transfer = async ({ http, bytes }, { sha256, sizeBytes }, { upload: to, verify }) => {
  if (!to) return;
  const headers = { 'content-type': 'application/octet-stream', ...to.header };
  await expectDone(http, { method: 'PUT', url: to.href, headers, body: bytes.read(sha256), sizeBytes });
  if (verify) await expectDone(http, jsonRequest(verify.href, { oid: sha256, size: sizeBytes }, verify.header));
};

const download: Transfer = async ({ http, bytes }, { sha256, sizeBytes }, { download: from }) => {
  if (!from) return;
  const response = await http.send({ method: 'GET', url: from.href, headers: from.header });
  if (response.statusCode !== 200) throw new ObjectFailure('failed', (await http.refusal(from.href, response)).message);
  try {
    await bytes.restore(sha256, bounded(response, sizeBytes));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'storage_full') throw new DiskFailure('failed', message);
    if (http.isClosed()) throw new RemoteError('failed', message);
    throw new ObjectFailure('failed', `its bytes did not arrive whole: ${http.redact(message)}`);
  } finally {
    response.destroy();
  }
};

async function expectDone(http: LfsHttp, request: LfsRequest): Promise<void> {
  const response = await http.send(request);
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode > 299) throw await http.refusal(request.url, response);
  // Read to its end, so that the connection can be used again.
  for await (const _ of bounded(response, ANSWER_BYTES));
}

function jsonRequest(url: string, body: object, header: Record<string, string> = {}): LfsRequest {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { accept: LFS_TYPE, 'content-type': LFS_TYPE, ...header };
  return { method: 'POST', url, headers, body: one(bytes), sizeBytes: bytes.length };
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function* bounded(response: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new RemoteError('failed', `the host sends more than ${maxBytes} bytes`);
    yield chunk;
  }
}

async function readText({ http, endpoint }: LfsSession, response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of bounded(response, ANSWER_BYTES)) chunks.push(chunk);
  } catch (error) {
    throw http.toFailure(endpoint, error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function objectError({ http }: LfsSession, { path, sha256 }: NewPointer, said: string): RemoteError {
  return new RemoteError(
    'refused',
    `the host refuses the bytes of ${path} (${sha256}): ${quoteHost(http.redact(said))}`,
  );
}

/** The first error ends all of it. */
async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  let isOver = false;
  const work = async (): Promise<void> => {
    while (next < items.length && !isOver) {
      try {
        await run(items[next++]!);
      } catch (error) {
        isOver = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
