// The remote as the service sees it: reads which commit its branch is at, fetches that commit, and pushes ours. Runs in
// a thread of its own (thread.ts), because packs are work. Moves no ref of the repository.
import { createHash } from 'node:crypto';
import path from 'node:path';
import git, { type HttpClient } from 'isomorphic-git';
import { toStorageError } from '../../lib/errors.ts';
import { isNoSpace } from '../../lib/shortage.ts';
import { type Disk, nodeDisk } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';
import { listNewPointers, type NewPointer, ONLY_MEDIA } from '../repository/new-pointers.ts';
import { createOdb } from '../repository/odb.ts';
import { releasePack, toTemporary } from '../repository/pack-files.ts';
import { quoteHost, RemoteError } from './error.ts';
import { compareHistories } from './histories.ts';
import { createRemoteHttp, type RemoteHttp } from './http.ts';
import { type ReceivedPack, receivePack } from './pack-in.ts';
import { type PushPack, writePushPack } from './pack-out.ts';
import { listHaves, type Relation, relate } from './relation.ts';
import { readPack, readReport, receiveRequest, uploadRequest } from './wire.ts';

export interface RemoteEndOptions {
  repository: string;
  url: string;
  branch: string;
  token?: string | undefined;
  tokenEnv?: string | undefined;
  idleMs?: number;
  /** Most bytes of one fetched pack. */
  maxPackBytes?: number;
}

/** Rejects with RemoteError. */
export interface RemoteEnd {
  /** The commit of the remote's branch; null if the branch does not exist. */
  look(): Promise<Oid | null>;
  /** Fetches the remote's commit if it is missing here, and compares it with ours. */
  fetch(theirs: Oid | null, ours: Oid | null, seen: Oid | null): Promise<Relation>;
  /**
   * Moves the remote's branch from `from` to `to`. Rejects as `changed` if the branch is not at `from`, or `to` does
   * not contain that and `mayOverwrite` is false.
   */
  push(from: Oid | null, to: Oid, mayOverwrite: boolean): Promise<void>;
  /**
   * The media that the commits of `to` name and that `from` lacks, each hash once: page after page from 0 on, until one is
   * empty: a caller never holds all of them.
   */
  listPointers(from: Oid | null, to: Oid, page: number): Promise<NewPointer[]>;
  /** Brings the bytes that the commits of `theirs` name and `ours` lack; absent if media stay out of the remote. */
  bringNew?(ours: Oid | null, theirs: Oid): Promise<void>;
  /** Sentences about bytes, for an operator. */
  warnings?(): string[];
  /** False if the host is known to lack bytes, or Git LFS at all. */
  hasBytes?(): boolean;
  /** Asks for bytes that are missing here; the remote that keeps no media has none. */
  bringMissing?(isUrgent: boolean): Promise<void>;
  close(): Promise<void>;
}

const MAX_REFS_BYTES = 32 << 20;
const SEND_BYTES = 1 << 16;
/** Some 200 bytes each. */
const PAGE = 1000;

/** `connectTo` creates the HTTP client for the host. */
export function createRemoteEnd(
  options: RemoteEndOptions,
  disk: Disk = nodeDisk,
  connectTo: typeof createRemoteHttp = createRemoteHttp,
): RemoteEnd {
  const { repository } = options;
  const ref = `refs/heads/${options.branch}`;
  const packs = path.join(repository, 'objects', 'pack');
  const odb = createOdb(disk, repository);
  const connect = (maxBytes?: number): RemoteHttp => connectTo({ ...options, maxBytes: maxBytes ?? MAX_REFS_BYTES });

  async function look(): Promise<Oid | null> {
    const http = connect();
    const refs = await discovered(http, (whole) =>
      git.listServerRefs({ http: whole, url: http.url, prefix: ref, protocolVersion: 2, headers: {} }),
    );
    return checkOid(refs.find((found) => found.ref === ref)?.oid);
  }

  async function fetch(theirs: Oid | null, ours: Oid | null, seen: Oid | null): Promise<Relation> {
    odb.refresh();
    if (theirs === null || odb.has(theirs)) {
      try {
        return { ...relate(odb, theirs, ours, seen), pack: undefined };
      } catch (error) {
        if (theirs === null) throw error;
        // An interrupted fetch may have left the commit without what it leads to: asks for all of it again.
      }
    }
    const pack = await download(theirs, listHaves(odb, ours, seen));
    odb.refresh();
    try {
      return { ...relate(odb, theirs, ours, seen), pack: pack?.name };
    } catch (error) {
      if (pack?.isNew) removePack(pack.name);
      throw new RemoteError('failed', `what the host sent is incomplete: ${(error as Error).message}`);
    }
  }

  async function download(want: Oid, haves: readonly Oid[]): Promise<ReceivedPack | undefined> {
    const http = connect(options.maxPackBytes);
    try {
      const response = await http.request({
        method: 'POST',
        url: `${http.url}/git-upload-pack`,
        headers: {
          'content-type': 'application/x-git-upload-pack-request',
          accept: 'application/x-git-upload-pack-result',
        },
        body: [uploadRequest(want, haves)] as never,
      });
      return await receivePack(disk, packs, readPack(response.body!));
    } catch (error) {
      throw toRemoteError(error, http);
    }
  }

  function removePack(name: string): void {
    releasePack(disk, packs, name);
    for (const extension of ['idx', 'pack']) disk.remove(path.join(packs, `${name}.${extension}`));
  }

  async function push(from: Oid | null, to: Oid, mayOverwrite: boolean): Promise<void> {
    odb.refresh();
    const http = connect();
    const { refs = [], capabilities } = await discovered(http, (whole) =>
      git.getRemoteInfo2({ http: whole, url: http.url, forPush: true, protocolVersion: 1, headers: {} }),
    );
    const found = checkOid(refs.find((one) => one.ref === ref)?.oid);
    if (found !== from) throw new RemoteError('changed', 'another push was faster');
    const abilities = new Set(
      Object.entries(capabilities).map(([name, value]) => (value === true ? name : `${name}=${value}`)),
    );
    const spool = toTemporary(disk, packs, 'push');
    try {
      const { ahead, behind } = compareHistories(odb, to, from);
      // Our own branch was moved back; hosts would accept that.
      if (behind.length && !mayOverwrite) throw new RemoteError('changed', 'branch "main" was moved here meanwhile');
      const pack = writePushPack(disk, odb, ahead.toReversed(), spool, !abilities.has('no-thin'));
      const head = receiveRequest(ref, from, to, abilities);
      const response = await http.request({
        method: 'POST',
        url: `${http.url}/git-receive-pack`,
        headers: {
          'content-type': 'application/x-git-receive-pack-request',
          accept: 'application/x-git-receive-pack-result',
          'content-length': String(head.length + pack.sizeBytes + 20),
        },
        body: send(disk, head, pack),
      });
      await readReport(response.body!, ref);
    } catch (error) {
      throw toRemoteError(error, http);
    } finally {
      disk.remove(spool);
    }
  }

  let listing: { key: string; page: number; walk: Generator<NewPointer | undefined> } | undefined;

  /** Goes on where the last page ended; from the start if that was another listing, or another thread's. */
  async function listPointers(from: Oid | null, to: Oid, page: number): Promise<NewPointer[]> {
    odb.refresh();
    const key = `${from} ${to}`;
    if (listing?.key !== key || listing.page > page) {
      listing = { key, page: 0, walk: listNewPointers(odb, compareHistories(odb, to, from).ahead, ONLY_MEDIA) };
    }
    let pointers: NewPointer[] = [];
    while (listing.page <= page) {
      pointers = takePage(listing.walk);
      listing.page++;
    }
    if (pointers.length === 0) listing = undefined;
    return pointers;
  }

  return { look, fetch, push, listPointers, close: async () => odb.close() };
}

function takePage(walk: Generator<NewPointer | undefined>): NewPointer[] {
  const pointers: NewPointer[] = [];
  while (pointers.length < PAGE) {
    const { value, done } = walk.next();
    if (done) break;
    if (value) pointers.push(value);
  }
  return pointers;
}

async function* send(disk: Disk, head: Buffer, { file, sizeBytes }: PushPack): AsyncIterableIterator<Uint8Array> {
  yield head;
  const sum = createHash('sha1');
  const pack = disk.openForReading(file)!;
  try {
    for (let at = 0; at < sizeBytes; at += SEND_BYTES) {
      const bytes = pack.read(at, Math.min(SEND_BYTES, sizeBytes - at));
      sum.update(bytes);
      yield bytes;
    }
  } finally {
    pack.close();
  }
  yield sum.digest();
}

/**
 * Asks through isomorphic-git. It gets whole answers only: it would make a shorter list of one that breaks off, and a
 * branch missing from that list would look removed.
 */
async function discovered<T>(http: RemoteHttp, ask: (whole: HttpClient) => Promise<T>): Promise<T> {
  try {
    return await ask({
      async request(asked) {
        const response = await http.request(asked);
        const chunks: Uint8Array[] = [];
        for await (const chunk of response.body!) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        const isGit = /^application\/x-git-/.test(response.headers?.['content-type'] ?? '');
        if (isGit && bytes.toString('latin1', bytes.length - 4) !== '0000') {
          throw new RemoteError('failed', 'the host broke off in the middle of its answer');
        }
        return { ...response, body: [bytes] as never };
      },
    });
  } catch (error) {
    throw toRemoteError(error, http);
  }
}

function toRemoteError(error: unknown, http: RemoteHttp): RemoteError {
  if (error instanceof RemoteError) return error;
  const { message, data } = error as { message: string; data?: { preview?: string } };
  if (isNoSpace(error)) return new RemoteError('failed', (toStorageError(error) as Error).message);
  const said = quoteHost(http.redact(data?.preview ?? message), 120);
  return new RemoteError('failed', `the host does not answer like a git host: ${said}`);
}

function checkOid(oid: string | undefined): Oid | null {
  if (oid === undefined) return null;
  if (!/^[0-9a-f]{40}$/.test(oid))
    throw new RemoteError('refused', `the remote does not use sha1 ids: ${quoteHost(oid, 70)}`);
  return oid;
}
