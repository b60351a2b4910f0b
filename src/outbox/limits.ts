// How much an outbox keeps and for how long, and how many deliveries run at a time.

const HOUR_MS = 3_600_000;

export const LIMITS = {
  waiting: 100_000,
  waitingBytes: 256 << 20,
  heldBytes: 192 << 20,
  finished: 1000,
  finishedBytes: 16 << 20,
  payloadBytes: 2 << 20,
  /** An older entry is not retried: it spent all that time waiting for earlier ones. */
  ageMs: 72 * HOUR_MS,
  perTarget: 4,
  /** By topic, so that mail that no server accepts holds up no webhook. */
  perTopic: 32,
  /** The first pause before a target that does not answer is retried; it doubles each time. */
  pauseMs: 1000,
  /** At shutdown, for deliveries on their way; then they are aborted, and get half a second to stop. */
  graceMs: 3000,
  /** The journal is rewritten when it exceeds twice the size of its entries by so much. */
  slackBytes: 1 << 20,
};
