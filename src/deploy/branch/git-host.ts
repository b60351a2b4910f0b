// One branch of a repository on a git host, over smart HTTP (gitprotocol-http(5)). It needs no git program. The token
// goes to the repository's own address and into no message.
import { OutboundError } from '../../outbound/error.ts';
import { sameHostRedirect } from '../../outbound/open-request.ts';
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
  /** True if this is the provider's own address: only then is shown what it says. */
  isOwnAddress: boolean;
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
  push(from: Oid | null, to: Oid, capabilities: ReadonlySet<string>, pack: Blob): Promise<PushOutcome>;
}

export type PushOutcome = { isMoved: true } | { isMoved: false; reason: string };

const LOOK_MS = 60_000;
/** A host checks all of a pack before it answers. */
const PUSH_MS = 15 * 60_000;
const REASON_BYTES = 300;
const MAX_REDIRECTS = 5;

export function createGitHost({ url, token, branch, isOwnAddress, context }: GitHostParts): GitHost {
  const { fetch, signal, limits } = context;
  const ref = `refs/heads/${branch}`;
  const authorization = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  /** The repository's address: the configured one, or another one of its host, if that redirected the first request. */
  let base = url;

  async function askOnce(address: string, init: RequestInit, limitMs: number): Promise<Response> {
    try {
      return await fetch(address, {
        ...init,
        redirect: 'manual',
        headers: { 'user-agent': 'git/2.0 (colophon)', authorization, ...init.headers },
        signal: AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(limits?.callMs ?? limitMs))]),
      });
    } catch (error) {
      throw toHostError(error, new URL(address).host, isOwnAddress, signal);
    }
  }

  /** Follows redirects of what only reads, on the host alone. */
  async function ask(path: string, init: RequestInit, limitMs: number): Promise<Response> {
    let address = `${base}${path}`;
    for (let redirects = 0; ; redirects++) {
      const response = await askOnce(address, init, limitMs);
      if (response.ok) return response;
      const { host } = new URL(address);
      const isMoved = init.method === undefined && response.status >= 300 && response.status < 400;
      if (!isMoved || redirects === MAX_REDIRECTS) {
        const said = isOwnAddress ? await readReason(response) : '';
        if (!response.bodyUsed) await response.body?.cancel();
        throw refusal(response, host, said && `; it says: ${said}`, context.now());
      }
      await response.body?.cancel();
      [address, base] = movedTo(response, address);
    }
  }

  async function advertised(service: string): Promise<AdvertisedBranch> {
    const response = await ask(`/info/refs?service=${service}`, {}, LOOK_MS);
    return reading(response, (body) => readAdvertisement(body, ref));
  }

  function reading<T>(response: Response, read: (body: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    return read(response.body as AsyncIterable<Uint8Array>).catch((error: unknown) => {
      throw toHostError(error, new URL(base).host, isOwnAddress, signal);
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
      return reading(response, async (body): Promise<PushOutcome> => {
        try {
          await readReport(body, ref);
          return { isMoved: true };
        } catch (error) {
          if (error instanceof RemoteError && error.failure === 'refused') {
            return { isMoved: false, reason: isOwnAddress ? error.message : error.bare };
          }
          throw error;
        }
      });
    },
  };
}

/** What was asked, and its repository, at their new address on the same host: a token goes nowhere else. @throws HostError */
function movedTo({ headers }: Response, asked: string): [address: string, base: string] {
  const from = new URL(asked);
  const address = sameHostRedirect(from, headers.get('location'))?.href ?? '';
  const base = /^(.*)\/info\/refs\?.*$/.exec(address)?.[1];
  if (base !== undefined) return [address, base];
  throw new HostError(
    'not_found',
    `${from.host} redirects elsewhere: put the address of the repository into the settings`,
  );
}

/** The first line of a plain text. */
async function readReason(response: Response): Promise<string> {
  if (!/^text\/plain/.test(response.headers.get('content-type') ?? '')) return '';
  const text = await response.text().catch(() => '');
  return text.slice(0, REASON_BYTES).trim().split('\n')[0] ?? '';
}

function refusal({ status, headers }: Response, host: string, said: string, now: Date): HostError {
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

function toHostError(error: unknown, host: string, isOwnAddress: boolean, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof HostError) return error;
  if (error instanceof RemoteError) {
    const { failure, message, bare } = error;
    const words = isOwnAddress ? message : bare;
    return new HostError(failure === 'refused' ? 'refused_input' : 'host_failed', words, { cause: error });
  }
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return new HostError('timeout', `${host} did not answer in time`, { cause: error });
  if (cause instanceof OutboundError) return new HostError('refused_input', cause.message, { cause: error });
  return new HostError('unreachable', `${host} cannot be reached: ${cause?.code ?? cause?.message ?? message}`, {
    cause: error,
  });
}
