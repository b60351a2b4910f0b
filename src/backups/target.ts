// The S3-compatible server that a site's administrator chose for copies of its backups. Requests use path-style
// addresses, which every such server supports, and follow no redirects. Each body is signed with its sha256, so that a
// server that checks it accepts nothing else.
import { createHash, hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { OutboundGuard } from '../outbound/guard.ts';
import { openRequest } from '../outbound/open-request.ts';
import { readChunks } from './data-files.ts';

export interface TargetSettings {
  endpoint: string;
  region: string;
  bucket: string;
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface CopyStore {
  /** Resolves once the server confirms that it has the whole file. @throws TargetError */
  put(key: string, file: string, content: { sizeBytes: number; sha256: string }, signal: AbortSignal): Promise<void>;
  /** Succeeds even if the copy does not exist. @throws TargetError */
  remove(key: string, signal: AbortSignal): Promise<void>;
}

/** Its message is for the administrator, and has no secret in it. */
export class TargetError extends Error {
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TargetError';
    this.isFinal = isFinal;
  }
}

export interface TargetParts {
  now(): Date;
  /** Checks the target's address, like every address that people type. */
  guard: OutboundGuard;
  /** A larger file is sent in parts of this size, each retried by itself. S3 requires 5 MiB, except for the last. */
  partBytes?: number;
  /** Pauses before the retries. */
  pausesMs?: readonly number[];
  idleMs?: number;
}

const PART_BYTES = 64 << 20;
const MAX_PARTS = 10_000;
const PAUSES_MS = [1000, 5000, 25_000];
const IDLE_MS = 60_000;
const ANSWER_BYTES = 1 << 20;
const EMPTY = { sizeBytes: 0, sha256: createHash('sha256').digest('hex') };

/** A body to send, from a file or from memory. */
interface SentFile {
  sizeBytes: number;
  sha256: string;
  chunks(): AsyncIterable<Buffer>;
}

interface TargetCall {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  sent?: SentFile;
  /** Statuses that count as success, besides 2xx. */
  also?: readonly number[];
}

interface TargetAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

export function createTarget(settings: TargetSettings, parts: TargetParts): CopyStore {
  const { partBytes = PART_BYTES, pausesMs = PAUSES_MS, idleMs = IDLE_MS } = parts;
  const { guard } = parts;
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;

  async function once(method: string, key: string, call: TargetCall, signal: AbortSignal): Promise<TargetAnswer> {
    const { query = {}, sent } = call;
    const url = new URL(`${endpoint}/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      method,
      url: url.toString(),
      headers: { ...call.headers, 'x-amz-content-sha256': (sent ?? EMPTY).sha256 },
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      datetime: parts
        .now()
        .toISOString()
        .replace(/[:-]|\.\d+/g, ''),
    });
    const { headers } = await signer.sign();
    const answer = await new Promise<TargetAnswer>((resolve, reject) => {
      const asked = openRequest(guard, url, {
        method,
        headers: { ...Object.fromEntries(headers), 'content-length': String((sent ?? EMPTY).sizeBytes) },
        signal,
        timeout: idleMs,
        // A separate connection, so that the end of the service does not wait for it.
        agent: false,
      });
      asked.on('timeout', () => asked.destroy(new Error('no data moved on the connection')));
      asked.on('error', reject);
      asked.on('response', (response) => readAnswer(response).then(resolve, reject));
      if (sent) pipeline(Readable.from(sent.chunks(), { objectMode: false }), asked).catch(reject);
      else asked.end();
    });
    const { status, text } = answer;
    if ((status >= 200 && status < 300 && !text.includes('<Error>')) || call.also?.includes(status)) return answer;
    throw refusal(answer);
  }

  /** Retries errors of the server or the network that may pass. */
  async function send(method: string, key: string, call: TargetCall, signal: AbortSignal): Promise<TargetAnswer> {
    if (secretAccessKey === '') {
      throw new TargetError('the backup target has no secret access key; set it in the settings', { isFinal: true });
    }
    for (let tries = 0; ; tries++) {
      try {
        return await once(method, key, call, signal);
      } catch (error) {
        signal.throwIfAborted();
        const failure = error instanceof TargetError ? error : unreachable(error as Error);
        const pauseMs = pausesMs[tries];
        if (failure.isFinal || pauseMs === undefined) throw failure;
        await delay(pauseMs, undefined, { signal });
      }
    }
  }

  async function putInParts(key: string, file: FileHandle, whole: Stretch, signal: AbortSignal): Promise<void> {
    const size = Math.max(partBytes, Math.ceil(whole.sizeBytes / MAX_PARTS));
    const headers = metadata(whole);
    const begun = await send('POST', key, { query: { uploads: '' }, headers }, signal);
    const uploadId = tagIn(begun.text, 'UploadId');
    if (!uploadId) throw new TargetError('the backup target does not answer as S3 does', { isFinal: true });
    try {
      const etags: string[] = [];
      for (let at = 0; at < whole.sizeBytes; at += size) {
        const sent = await readPart(file, at, Math.min(size, whole.sizeBytes - at));
        const query = { partNumber: String(etags.length + 1), uploadId };
        const { headers } = await send('PUT', key, { query, sent }, signal);
        etags.push(String(headers.etag ?? ''));
      }
      const list = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
      const sent = toSent(Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`));
      await send('POST', key, { query: { uploadId }, sent }, signal);
    } catch (error) {
      // Otherwise its invisible parts would cost money. An unreachable server keeps them until its own rules apply.
      const gone = AbortSignal.timeout(idleMs);
      await once('DELETE', key, { query: { uploadId }, also: [404] }, gone).catch(() => undefined); // `error` is thrown
      throw error;
    }
  }

  return {
    async put(key, path, content, signal) {
      const file = await open(path, 'r');
      try {
        if (content.sizeBytes > partBytes) await putInParts(key, file, content, signal);
        else {
          const sent = { ...content, chunks: () => readChunks(file, content.sizeBytes) };
          await send('PUT', key, { sent, headers: metadata(content) }, signal);
        }
      } finally {
        await file.close();
      }
      const { headers } = await send('HEAD', key, {}, signal);
      const isWhole =
        Number(headers['content-length']) === content.sizeBytes && headers['x-amz-meta-sha256'] === content.sha256;
      if (!isWhole)
        throw new TargetError('the copy on the backup target differs from the archive that was sent', {
          isFinal: true,
        });
    },
    async remove(key, signal) {
      await send('DELETE', key, { also: [404] }, signal);
    },
  };
}

/** A forbidden address is final. */
function unreachable(cause: Error & { reason?: string }): TargetError {
  const isFinal = cause.reason === 'private_address';
  return new TargetError(`the backup target cannot be reached: ${cause.message}`, { isFinal, cause });
}

type Stretch = Omit<SentFile, 'chunks'>;

function metadata({ sha256 }: Stretch): Record<string, string> {
  return { 'x-amz-meta-sha256': sha256, 'content-type': 'application/gzip' };
}

/** Reads the part once for the sha256, which is signed before the part is sent. */
async function readPart(file: FileHandle, start: number, sizeBytes: number): Promise<SentFile> {
  const hash = createHash('sha256');
  const chunks = (): AsyncIterable<Buffer> => readChunks(file, sizeBytes, start);
  for await (const chunk of chunks()) hash.update(chunk);
  return { sizeBytes, sha256: hash.digest('hex'), chunks };
}

function toSent(bytes: Buffer): SentFile {
  const sha256 = hash('sha256', bytes);
  return {
    sizeBytes: bytes.length,
    sha256,
    async *chunks() {
      yield bytes;
    },
  };
}

async function readAnswer(response: IncomingMessage): Promise<TargetAnswer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response) {
    sizeBytes += chunk.length;
    if (sizeBytes > ANSWER_BYTES) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') };
}

/**
 * Codes of S3 (AmazonS3 API reference, "Error responses") that say what to set. The rest of an answer is shown to nobody:
 * the address is typed, and what answers there may be anything.
 */
const SHOWN_CODES = new Set([
  ...['AccessDenied', 'AllAccessDisabled', 'AuthorizationHeaderMalformed', 'BadDigest', 'EntityTooLarge'],
  ...['InternalError', 'InvalidAccessKeyId', 'InvalidBucketName', 'InvalidRegion', 'NoSuchBucket', 'NoSuchUpload'],
  ...['NotImplemented', 'PermanentRedirect', 'QuotaExceeded', 'RequestTimeout', 'RequestTimeTooSkewed'],
  ...['ServiceUnavailable', 'SignatureDoesNotMatch', 'SlowDown', 'TemporaryRedirect', 'XAmzContentSHA256Mismatch'],
]);

/** A refusal of the request is final; an error of the server may pass. */
function refusal({ status, text }: TargetAnswer): TargetError {
  const code = tagIn(text, 'Code');
  const said = code !== undefined && SHOWN_CODES.has(code) ? code : '';
  const isFinal = status < 500 && status !== 429 && status !== 408 && code !== 'RequestTimeout' && code !== 'SlowDown';
  return new TargetError(`the backup target answers with status ${status}${said && `, ${said}`}`, { isFinal });
}

function tagIn(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
