// One branch of a repository on a git host, over smart HTTP (gitprotocol-http(5)). It needs no git program. The token
// goes to the repository's own address and into no message.
import type { Oid } from '../../store/git/objects.ts';
import { RemoteError } from '../../store/remote/error.ts';
import {
  type AdvertisedBranch,
  readAdvertisement,
  readPack,
  readReport,
  receiveRequest,
  treesRequest,
} from '../../store/remote/wire.ts';
import { HostError } from '../providers/host-error.ts';
import type { ProviderContext } from '../providers/provider.ts';
import { askedWaitMs, backoffMs, MAX_RETRIES, MAX_WAIT_MS } from '../providers/retry.ts';

export interface GitHostParts {
  /** Address of the repository, with `.git`. */
  url: string;
  token: string;
  branch: string;
  context: Pick<ProviderContext, 'fetch' | 'delay' | 'now' | 'signal' | 'log' | 'limits'>;
}

/** Rejects with HostError. What only reads is tried again; a push is one request. */
export interface GitHost {
  look(): Promise<AdvertisedBranch>;
  /** The commit with its trees, without ancestors and files; undefined if the host cannot leave those out. */
  fetchTrees(commit: Oid): Promise<AsyncIterable<Buffer> | undefined>;
  /**
   * Moves the branch from one commit to another. `refused` if the host did not accept it: another push may have been
   * faster, which only another look shows.
   */
  push(from: Oid | null, to: Oid, capabilities: ReadonlySet<string>, pack: Blob): Promise<Outcome>;
}

export type Outcome = { isMoved: true } | { isMoved: false; reason: string };

const LOOK_MS = 60_000;
/** A host checks all of a pack before it answers. */
const PUSH_MS = 15 * 60_000;
const REASON_BYTES = 300;

export function createGitHost({ url, token, branch, context }: GitHostParts): GitHost {
  const { fetch, signal, limits } = context;
  const ref = `refs/heads/${branch}`;
  const authorization = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  /** Where the repository has moved to, if the host redirected the first request. */
  let base = url;

  async function ask(path: string, init: RequestInit, limitMs: number): Promise<Response> {
    const { host } = new URL(base);
    let response: Response;
    try {
      response = await fetch(`${base}${path}`, {
        ...init,
        headers: { 'user-agent': 'git/2.0 (colophon)', authorization, ...init.headers },
        signal: AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(limits?.callMs ?? limitMs))]),
      });
    } catch (error) {
      throw toHostError(error, host, signal);
    }
    if (response.ok) return response;
    const text = (await response.text().catch(() => '')).slice(0, REASON_BYTES);
    throw refusal(response, host, text, context.now());
  }

  async function advertised(service: string): Promise<AdvertisedBranch> {
    const response = await ask(`/info/refs?service=${service}`, {}, LOOK_MS);
    if (response.redirected) base = movedTo(response.url, base);
    return reading(response, (body) => readAdvertisement(body, ref));
  }

  function reading<T>(response: Response, read: (body: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    return read(response.body as AsyncIterable<Uint8Array>).catch((error: unknown) => {
      throw toHostError(error, new URL(base).host, signal);
    });
  }

  return {
    look: () => tryAgain(context, () => advertised('git-receive-pack')),
    async fetchTrees(commit) {
      const { capabilities } = await tryAgain(context, () => advertised('git-upload-pack'));
      if (!capabilities.has('filter') || !capabilities.has('shallow')) return undefined;
      const response = await ask(
        '/git-upload-pack',
        {
          method: 'POST',
          headers: { 'content-type': 'application/x-git-upload-pack-request' },
          body: new Uint8Array(treesRequest(commit)),
        },
        PUSH_MS,
      );
      return readPack(response.body as AsyncIterable<Uint8Array>);
    },
    async push(from, to, capabilities, pack) {
      const head = new Uint8Array(receiveRequest(ref, from, to, capabilities));
      const response = await ask(
        '/git-receive-pack',
        {
          method: 'POST',
          headers: { 'content-type': 'application/x-git-receive-pack-request' },
          body: new Blob([head, pack]),
        },
        PUSH_MS,
      );
      return reading(response, async (body): Promise<Outcome> => {
        try {
          await readReport(body, ref);
          return { isMoved: true };
        } catch (error) {
          if (error instanceof RemoteError && error.failure === 'refused') {
            return { isMoved: false, reason: error.message };
          }
          throw error;
        }
      });
    },
  };
}

/** Only within the same origin: the token must not follow a redirect to another one. */
function movedTo(address: string, base: string): string {
  const moved = address.replace(/\/info\/refs\?.*$/, '');
  if (new URL(moved).origin === new URL(base).origin) return moved;
  throw new HostError('not_found', `the repository moved to ${moved}: put its new address into the settings`);
}

function refusal({ status, headers }: Response, host: string, text: string, now: Date): HostError {
  const isPlain = /^text\/plain/.test(headers.get('content-type') ?? '');
  const said = isPlain && text.trim() ? `; it says: ${text.trim().split('\n')[0]}` : '';
  const options = { status, retryAfterMs: askedWaitMs(headers, now) };
  const where = `${host} answered ${status}`;
  if (status === 429) return new HostError('rate_limited', `${where}: too many requests${said}`, options);
  if (status === 401 || status === 403) {
    const remedy = 'the token in "deployApiToken" was refused, or may not write to the repository';
    return new HostError('refused_token', `${where}: ${remedy}${said}`, options);
  }
  if (status === 409) return new HostError('conflict', `${where}: deploy again${said}`, options);
  if (status === 404 || status === 410) {
    const remedy = 'there is no such repository, or the token in "deployApiToken" may not see it';
    return new HostError('not_found', `${where}: ${remedy}${said}`, options);
  }
  if (status >= 500 || status === 408) return new HostError('host_failed', `${where}${said}`, options);
  return new HostError('refused_input', `${where}${said}`, options);
}

/** True if the same request may succeed later. */
export function mayPass({ reason, retryAfterMs = 0 }: HostError): boolean {
  const isPassing = ['unreachable', 'timeout', 'host_failed', 'rate_limited'].includes(reason);
  return isPassing && retryAfterMs <= MAX_WAIT_MS;
}

/** Waits before the next try as long as the host asks for. */
export function pauseOf({ retryAfterMs = 0 }: HostError, tries: number): number {
  return Math.max(retryAfterMs, backoffMs(tries, 0));
}

async function tryAgain<T>({ delay, signal, log }: GitHostParts['context'], work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HostError) || !mayPass(error) || tries > MAX_RETRIES) throw error;
      log(`${error.message}; trying again`);
      await delay(pauseOf(error, tries), signal);
    }
  }
}

function toHostError(error: unknown, host: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof HostError) return error;
  if (error instanceof RemoteError) {
    return new HostError(error.failure === 'refused' ? 'refused_input' : 'host_failed', error.message, {
      cause: error,
    });
  }
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return new HostError('timeout', `${host} did not answer in time`, { cause: error });
  return new HostError('unreachable', `${host} cannot be reached: ${cause?.code ?? cause?.message ?? message}`, {
    cause: error,
  });
}
