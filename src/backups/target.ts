// The S3-compatible place that a site's administrator named for copies of its backups. Path-style addresses, as every such server has them; redirects are not followed. What is sent
// is signed with its sha256, so that a server that checks it takes nothing else.
import { createHash, hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { OutboundGuard } from '../outbound/guard.ts';
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
  /** Resolves once the server has the whole file and says so. @throws TargetError */
  put(key: string, file: string, content: { sizeBytes: number; sha256: string }, signal: AbortSignal): Promise<void>;
  /** Also where there is none. @throws TargetError */
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
  /** Judges the target's address, as that of everything else that people type; without it any will do. */
  guard?: OutboundGuard;
  /** A larger file goes in parts of this size, each tried again by itself. S3 takes none below 5 MiB but the last. */
  partBytes?: number;
  /** Before each further try. */
  pausesMs?: readonly number[];
  idleMs?: number;
}

const PART_BYTES = 64 << 20;
const MAX_PARTS = 10_000;
const PAUSES_MS = [1000, 5000, 25_000];
const IDLE_MS = 60_000;
const ANSWER_BYTES = 1 << 20;
const EMPTY = { sizeBytes: 0, sha256: createHash('sha256').digest('hex') };

/** What is sent, from a file or from memory. */
interface SentFile {
  sizeBytes: number;
  sha256: string;
  chunks(): AsyncIterable<Buffer>;
}

interface TargetCall {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  sent?: SentFile;
  /** Statuses that are as good as 2xx. */
  also?: readonly number[];
}

interface TargetAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

export function createTarget(settings: TargetSettings, parts: TargetParts): CopyStore {
  const { partBytes = PART_BYTES, pausesMs = PAUSES_MS, idleMs = IDLE_MS } = parts;
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
    parts.guard?.check(url);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const answer = await new Promise<TargetAnswer>((resolve, reject) => {
      const asked = send(url, {
        method,
        headers: { ...Object.fromEntries(headers), 'content-length': String((sent ?? EMPTY).sizeBytes) },
        signal,
        timeout: idleMs,
        // A connection of its own: nothing waits for it to end when the service does.
        agent: false,
        ...(parts.guard ? { lookup: parts.guard.lookup } : {}),
      });
      asked.on('timeout', () => asked.destroy(new Error('nothing moved on the connection')));
      asked.on('error', reject);
      asked.on('response', (response) => readAnswer(response).then(resolve, reject));
      if (sent) pipeline(Readable.from(sent.chunks(), { objectMode: false }), asked).catch(reject);
      else asked.end();
    });
    const { status, text } = answer;
    if ((status >= 200 && status < 300 && !text.includes('<Error>')) || call.also?.includes(status)) return answer;
    throw refusal(answer);
  }

  /** Tried again where the server or the way to it may be better in a moment. */
  async function send(method: string, key: string, call: TargetCall, signal: AbortSignal): Promise<TargetAnswer> {
    if (secretAccessKey === '') {
      throw new TargetError('the backup target has no secret access key; set it again', { isFinal: true });
    }
    for (let tries = 0; ; tries++) {
      try {
        return await once(method, key, call, signal);
      } catch (error) {
        signal.throwIfAborted();
        const told = error instanceof TargetError ? error : unreachable(error as Error);
        const pauseMs = pausesMs[tries];
        if (told.isFinal || pauseMs === undefined) throw told;
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
      // Or its parts are paid for and nobody sees them. A server that is away keeps them until its own rules say.
      const gone = AbortSignal.timeout(idleMs);
      await once('DELETE', key, { query: { uploadId }, also: [404] }, gone).catch(() => undefined); // what failed is told
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
      if (!isWhole) throw new TargetError('the backup target has something else than what was sent', { isFinal: true });
    },
    async remove(key, signal) {
      await send('DELETE', key, { also: [404] }, signal);
    },
  };
}

/** An address that is not allowed stays one. */
function unreachable(cause: Error & { reason?: string }): TargetError {
  const isFinal = cause.reason === 'private_address';
  return new TargetError(`the backup target cannot be reached: ${cause.message}`, { isFinal, cause });
}

type Stretch = Omit<SentFile, 'chunks'>;

function metadata({ sha256 }: Stretch): Record<string, string> {
  return { 'x-amz-meta-sha256': sha256, 'content-type': 'application/gzip' };
}

/** Read twice: its sha256 is signed before it is sent. */
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

/** A refusal of what we asked stays one; trouble of the server may pass. */
function refusal({ status, text }: TargetAnswer): TargetError {
  const code = tagIn(text, 'Code');
  const said = [code, tagIn(text, 'Message')].filter(Boolean).join(': ').slice(0, 300);
  const isFinal = status < 500 && status !== 429 && status !== 408 && code !== 'RequestTimeout' && code !== 'SlowDown';
  return new TargetError(`the backup target answers with status ${status}${said && `, ${said}`}`, { isFinal });
}

function tagIn(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
