// The contents of a site at Cloudflare Pages: which are missing, and sending those in buckets. These requests carry a
// token of their own that the API gives out for some minutes.
import { z } from 'zod';
import { contentTypeOf } from '../../files/content-type.ts';
import { HostError } from '../host-error.ts';
import { inParallel } from '../in-parallel.ts';
import type { ProviderContext, PublishedFile } from '../provider.ts';
import type { HostBody, HostClient, HostRequest } from '../request.ts';
import { base64Length, base64Of } from './cloudflare-hash.ts';

const DEFAULT_MAX_FILES = 20_000;
const MAX_BUCKET_BYTES = 40 << 20;
const MAX_BUCKET_FILES = 2000;
const BUCKETS_AT_ONCE = 3;
/** The code of a token that has expired. */
const EXPIRED = '8000013';
const MAX_TOKENS = 3;

const Missing = z.object({ result: z.array(z.string()) });
const UploadToken = z.object({ result: z.object({ jwt: z.string() }) });
const Claims = z.object({ max_file_count_allowed: z.number().optional() }).catch({});

/** A file and the hash under which Cloudflare has its content. */
export interface Asset {
  hash: string;
  file: PublishedFile;
}

export interface Assets {
  /** How many files the account may have in a deployment. */
  maxFiles(): Promise<number>;
  missing(hashes: readonly string[]): Promise<Set<string>>;
  send(assets: readonly Asset[]): Promise<void>;
  /** Keeps contents from being removed as unused. */
  touch(hashes: readonly string[]): Promise<void>;
}

export function createAssets(
  client: HostClient,
  project: string,
  { log, progress, signal }: Pick<ProviderContext, 'log' | 'progress' | 'signal'>,
): Assets {
  let token: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const path = `${project}/upload-token`;
    const { result } = await client.read({ method: 'GET', path, what: 'the upload token' }, UploadToken);
    return result.jwt;
  }

  /** Sends with the upload's token, and with a new one if it has expired meanwhile. */
  async function withToken<T>(work: (token: string) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      token ??= fetchToken();
      const mine = token;
      const jwt = await mine.catch((error: unknown) => {
        if (token === mine) token = undefined;
        throw error;
      });
      try {
        return await work(jwt);
      } catch (error) {
        if (!(error instanceof HostError) || !isExpired(error) || attempt === MAX_TOKENS) throw error;
        // Others may have replaced it already.
        if (token === mine) token = undefined;
      }
    }
  }

  function ask(request: Omit<HostRequest, 'method' | 'token'>) {
    return withToken((jwt) => client.send({ ...request, method: 'POST', token: jwt, isRepeatable: true }));
  }

  return {
    maxFiles: () => withToken(async (jwt) => claimsOf(jwt).max_file_count_allowed ?? DEFAULT_MAX_FILES),
    async missing(hashes) {
      const request = {
        path: '/pages/assets/check-missing',
        body: { json: { hashes } },
        what: 'the question which files are missing',
      };
      return new Set(client.parse(request, await ask(request), Missing).result);
    },
    async send(assets) {
      let sent = 0;
      await inParallel(toBuckets(assets), BUCKETS_AT_ONCE, signal, async (bucket, either) => {
        const [first] = bucket;
        await ask({
          path: '/pages/assets/upload',
          body: toBody(bucket),
          what: `the upload of ${bucket.length === 1 ? `"${first?.file.path}"` : `${bucket.length} files`}`,
          signal: either,
        });
        sent += bucket.length;
        progress(sent);
      });
    },
    async touch(hashes) {
      try {
        await ask({
          path: '/pages/assets/upsert-hashes',
          body: { json: { hashes } },
          what: 'the mark of files in use',
        });
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        // Only a later deploy may have to send them again.
        log(error.message);
      }
    },
  };
}

function isExpired({ status, code }: HostError): boolean {
  return code === EXPIRED || status === 401;
}

function claimsOf(jwt: string): z.output<typeof Claims> {
  try {
    return Claims.parse(JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()));
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** The largest first, each into the first bucket that has space. */
export function toBuckets(assets: readonly Asset[]): Asset[][] {
  const buckets: { assets: Asset[]; sizeBytes: number }[] = [];
  for (const asset of assets.toSorted((a, b) => b.file.sizeBytes - a.file.sizeBytes)) {
    const { sizeBytes } = asset.file;
    const bucket = buckets.find(
      (place) => place.sizeBytes + sizeBytes <= MAX_BUCKET_BYTES && place.assets.length < MAX_BUCKET_FILES,
    );
    if (bucket) {
      bucket.assets.push(asset);
      bucket.sizeBytes += sizeBytes;
    } else {
      buckets.push({ assets: [asset], sizeBytes });
    }
  }
  return buckets.map((bucket) => bucket.assets);
}

/** `[{key, value, metadata, base64}]`, written while it is sent: a bucket in memory would be 54 MB three times. */
function toBody(assets: readonly Asset[]): HostBody {
  const heads = assets.map(({ hash, file }, index) => {
    const tail = JSON.stringify({ metadata: { contentType: contentTypeOf(file.path) }, base64: true }).slice(1);
    return { file, before: `${index > 0 ? ',' : '['}{"key":"${hash}","value":"`, after: `",${tail}` };
  });
  const sizeBytes = heads.reduce(
    (sum, { file, before, after }) => sum + before.length + base64Length(file.sizeBytes) + after.length,
    1,
  );
  return {
    sizeBytes,
    contentType: 'application/json',
    async *stream() {
      for (const { file, before, after } of heads) {
        yield Buffer.from(before);
        yield* base64Of(file);
        yield Buffer.from(after);
      }
      yield Buffer.from(']');
    },
  };
}
