// The answer to a batch request: for each object where its bytes are or go, or why neither. Pure.
import { invalid } from '../../lib/errors.ts';
import type { LfsBatch } from './input.ts';

export interface LfsAction {
  href: string;
  header: Record<string, string>;
}

export interface LfsObject {
  oid: string;
  size: number;
  authenticated?: true;
  actions?: { download?: LfsAction; upload?: LfsAction };
  error?: { code: number; message: string };
}

export interface BatchParts {
  /** Sizes of the bytes that exist, by their hash. */
  sizes: ReadonlyMap<string, number>;
  /** `<repository>/info/lfs/objects`. */
  base: string;
  /** The caller's, which the requests for the objects need too. */
  authorization: string;
  maxBytes: number;
}

const OID = /^[0-9a-f]{64}$/;

/** @throws ServiceError 400 for another transfer or hash. */
export function answerBatch(
  batch: LfsBatch,
  parts: BatchParts,
): { transfer: 'basic'; objects: LfsObject[]; hash_algo: string } {
  const { operation, transfers = ['basic'], hash_algo: hashAlgo = 'sha256', objects } = batch;
  if (transfers.length > 0 && !transfers.includes('basic')) throw invalid('the transfer must be "basic"');
  if (hashAlgo !== 'sha256') throw invalid('the hash must be "sha256"');
  const answer = operation === 'download' ? toDownload : toUpload;
  return { transfer: 'basic', objects: objects.map((object) => answer(object, parts)), hash_algo: 'sha256' };
}

function toDownload({ oid, size }: LfsObject, { sizes, base, authorization }: BatchParts): LfsObject {
  if (!OID.test(oid)) return badOid(oid, size);
  const found = sizes.get(oid);
  if (found === undefined) return { oid, size, error: { code: 404, message: 'the bytes are not here' } };
  return { oid, size: found, authenticated: true, actions: { download: toAction(oid, base, authorization) } };
}

/** Without actions the client knows that the bytes are here. */
function toUpload({ oid, size }: LfsObject, { sizes, base, authorization, maxBytes }: BatchParts): LfsObject {
  if (!OID.test(oid)) return badOid(oid, size);
  const found = sizes.get(oid);
  if (found === size) return { oid, size };
  if (found !== undefined) return { oid, size, error: { code: 422, message: `these bytes have a size of ${found}` } };
  if (size > maxBytes) {
    return { oid, size, error: { code: 422, message: `the file is larger than ${maxBytes >> 20} MiB` } };
  }
  return { oid, size, authenticated: true, actions: { upload: toAction(oid, base, authorization) } };
}

function badOid(oid: string, size: number): LfsObject {
  return { oid, size, error: { code: 422, message: 'the oid must be a SHA-256 in hex' } };
}

function toAction(oid: string, base: string, authorization: string): LfsAction {
  return { href: `${base}/${oid}`, header: { Authorization: authorization } };
}
