// Git LFS's batch API and basic transfer, below the URL of a repository, so that a clone with git-lfs has the bytes of
// media and a push brings them (https://github.com/git-lfs/git-lfs/tree/main/docs/api). There are no locks: clients
// take the 404 for that.
import { type FileHandle, open } from 'node:fs/promises';
import { toCaller } from '../../http/limits/caller.ts';
import type { HttpRequest } from '../../http/request.ts';
import { type Call, type Route, route } from '../../http/route.ts';
import { isCode } from '../../lib/error-code.ts';
import { invalid, lacksPermission, notFound } from '../../lib/errors.ts';
import type { GitSite } from '../git-site.ts';
import { authenticateGit, type GitRoutesParts, repositorySite, untilLeft } from '../http/routes.ts';
import { answerBatch } from './batch.ts';
import { BatchBody, type LfsBatch } from './input.ts';
import { receiveObject } from './routes-receive.ts';
import { createShownBytes } from './shown-bytes.ts';

export interface LfsRoutesParts extends Pick<GitRoutesParts, 'identify' | 'service'> {
  /** The service's address, as its operator has set it. */
  publicUrl: string | undefined;
  maxObjectBytes: number;
  requestOf(call: Pick<LfsCall, 'ctx'>): HttpRequest;
}

const LFS_TYPE = 'application/vnd.git-lfs+json';
const OID = /^[0-9a-f]{64}$/;
const OBJECTS = '/git/{repository}/info/lfs/objects';

type LfsCall = Call<GitSite, unknown, unknown>;

export function lfsRoutes(parts: LfsRoutesParts): Route<GitSite>[] {
  const { identify, publicUrl, maxObjectBytes, requestOf } = parts;
  const shown = createShownBytes(parts.service);
  const about = {
    tag: 'Git',
    documented: false,
    answers: { 200: { description: 'An answer of Git LFS’s protocol' } },
    refusals: 'lfs' as const,
    site: repositorySite,
    authenticate: authenticateGit(identify),
  };

  return [
    route<GitSite>({
      ...about,
      method: 'post',
      path: `${OBJECTS}/batch`,
      summary: 'Where the bytes of media are, or go',
      allow: 'content:read',
      body: BatchBody,
      async handle(call) {
        const { site, principal, header } = call;
        const batch = (await call.body()) as LfsBatch;
        if (batch.operation === 'upload' && !principal.permissions.has('media:write')) {
          throw lacksPermission(principal, 'media:write');
        }
        const oids = batch.objects.flatMap(({ oid }) => (OID.test(oid) ? [oid] : []));
        const sizes =
          batch.operation === 'upload'
            ? await sizesOfKept(site, oids)
            : await shown.sizesOf(site, oids, toClient(call));
        const base = `${baseOf(call, requestOf(call).host, publicUrl)}/git/${encodeURIComponent(site.id)}.git/info/lfs/objects`;
        const parts = { sizes, base, authorization: header('Authorization'), maxBytes: maxObjectBytes };
        return { type: LFS_TYPE, headers: { 'Cache-Control': 'no-store' }, body: answerBatch(batch, parts) };
      },
    }),
    route<GitSite>({
      ...about,
      method: 'get',
      path: `${OBJECTS}/{oid}`,
      summary: 'The bytes of a media file',
      allow: 'content:read',
      async handle(call) {
        const { site, params } = call;
        const oid = checkOid(params);
        if (!(await shown.sizesOf(site, [oid], toClient(call))).has(oid)) throw notFound(`object "${oid}"`);
        const file = await openIfThere(site.media.bytesPath(oid));
        if (!file) throw notFound(`object "${oid}"`);
        const { size } = await file.stat();
        // A size and no ETag: git-lfs compares the hash, and the answer must not be compressed.
        const headers = { 'Content-Length': String(size), 'Cache-Control': 'private, no-transform' };
        return { type: 'application/octet-stream', headers, body: file.createReadStream() };
      },
    }),
    route<GitSite>({
      ...about,
      method: 'put',
      path: `${OBJECTS}/{oid}`,
      summary: 'The bytes of a media file, before the push that names it',
      allow: 'media:write',
      async handle({ site, params, ctx }) {
        const sha256 = checkOid(params);
        const { folder, end } = await site.media.receive();
        try {
          await site.media.keepBytes(await receiveObject({ req: ctx.req, folder, sha256, maxBytes: maxObjectBytes }));
        } finally {
          await end();
        }
        return { status: 200 };
      },
    }),
  ];
}

function toClient(call: LfsCall): { caller: string; signal: AbortSignal } {
  return { caller: toCaller(call), signal: untilLeft(call) };
}

/** Also of bytes that no commit names yet: a client does not send them twice. */
async function sizesOfKept({ media }: GitSite, oids: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const oid of oids) {
    const size = await media.sizeOfBytes(oid);
    if (size === undefined) continue;
    sizes.set(oid, size);
    // The client will not send them, and its push comes later.
    await media.noteNamed(oid);
  }
  return sizes;
}

function checkOid({ oid = '' }: Record<string, string>): string {
  if (!OID.test(oid)) throw invalid('the oid must be a SHA-256 in hex');
  return oid;
}

/**
 * The address at which the client reached the service: its own Host, with the scheme that the operator or the proxy
 * names. Only the client itself gets the answer, so it may claim what it likes. Some proxies drop the port from Host, as
 * `$host` of nginx does: the public address has it.
 */
function baseOf({ header }: LfsCall, host: string, publicUrl: string | undefined): string {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (known && (known.host === host || known.hostname === host)) return known.href.replace(/\/+$/, '');
  const scheme = header('X-Forwarded-Proto').split(',')[0]?.trim().toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${host}`;
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
