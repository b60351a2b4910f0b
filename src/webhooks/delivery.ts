// A delivery as the API shows it: an entry of the outbox, and the webhook that it is for.
import { maskUrl } from '../lib/text/masked-url.ts';
import type { EntryState, EntryStatus } from '../outbox/outbox.ts';

export interface Delivery {
  /** The receiver's `webhook-id`. */
  id: string;
  webhookId: string;
  event: string;
  /** The webhook's current URL, without its path, which may be a secret; null if the webhook was removed. */
  url: string | null;
  state: EntryState;
  attempts: number;
  /** Status of the last attempt's answer; null if there was no answer. */
  status: number | null;
  error: string | null;
  durationMs: number | null;
  createdAt: string;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
}

/** `webhook` as it is now; undefined if it was removed. */
export function toDelivery(status: EntryStatus, webhook: { url: string } | undefined): Delivery {
  return {
    id: status.id,
    webhookId: status.target,
    event: status.about.event ?? '',
    url: webhook ? maskUrl(webhook.url) : null,
    state: status.state,
    attempts: status.attempts,
    status: status.status ?? null,
    error: status.error ?? null,
    durationMs: status.durationMs ?? null,
    createdAt: status.createdAt.toISOString(),
    lastAttemptAt: status.lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: status.nextAttemptAt?.toISOString() ?? null,
  };
}
