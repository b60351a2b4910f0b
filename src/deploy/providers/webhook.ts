// A deploy hook: one POST to an address that an administrator typed, behind which a host builds by itself. Nothing is
// known of the outcome; the host may report it to the notify endpoint. The address is a secret and is never shown.
import { OutboundError } from '../../outbound/error.ts';
import { HostError, type HostReason } from './host-error.ts';
import type { DeployProvider, ProviderContext, Publication } from './provider.ts';
import { reasonOf } from './refusal.ts';
import { askedWaitMs, backoffMs, isUnread, MAX_RETRIES, MAX_WAIT_MS } from './retry.ts';

const HOOK_MS = 30_000;
const CHECK = 'check deployHookUrl in the deploy settings';

export function createWebhook(): DeployProvider {
  return {
    name: 'webhook',
    label: 'Deploy hook',
    rules: 'none',
    hasPreviews: false,
    hasRollback: false,
    needsBuild: false,
    missing: ({ deployHookUrl }) =>
      deployHookUrl === '' ? [{ path: 'deployHookUrl', message: 'is missing: the address of a deploy hook' }] : [],
    refusals: () => [],
    async plan() {
      return { total: 0, send: [], sendBytes: 0, isUnchanged: false, state: undefined };
    },
    async send() {},
    async publish(_plan, publication, context) {
      await callHook(publication, context);
      return { url: null, hostId: null };
    },
  };
}

async function callHook({ id, siteId, commit }: Publication, context: ProviderContext): Promise<void> {
  const { settings, outbound, signal, now, delay, log } = context;
  const body = JSON.stringify({ event: 'deploy', site: siteId, deploy: id, commit });
  for (let retry = 1; ; retry++) {
    signal.throwIfAborted();
    const answer = await outbound
      .request({
        url: settings.deployHookUrl,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'colophon' },
        body,
        timeoutMs: context.limits?.callMs ?? HOOK_MS,
        signal,
      })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        throw error instanceof OutboundError ? toUnreached(error) : error;
      });
    const { status } = answer;
    if (status >= 200 && status < 300) return;
    const waitMs = askedWaitMs(new Headers(answer.headers), now()) ?? 0;
    // Any other answer may have begun a build.
    if (!isUnread({ status }) || retry > MAX_RETRIES || waitMs > MAX_WAIT_MS) throw toRefused(status, waitMs);
    const pauseMs = Math.max(waitMs, backoffMs(retry, 0));
    log(`the deploy hook answers ${status}; trying again in ${Math.ceil(pauseMs / 1000)} s`);
    await delay(pauseMs, signal);
  }
}

function toUnreached({ reason, message, status }: OutboundError): HostError {
  const why: HostReason = reason === 'timeout' ? 'timeout' : reason === 'unreachable' ? 'unreachable' : 'refused_input';
  return new HostError(why, `the deploy hook cannot be called (${reason}: ${message}); ${CHECK}`, { status });
}

function toRefused(status: number, waitMs: number): HostError {
  const advice = status >= 500 || status === 429 ? 'deploy again later' : CHECK;
  const options = { status, retryAfterMs: waitMs || undefined };
  return new HostError(reasonOf(status), `the deploy hook answers ${status}; ${advice}`, options);
}
