// How much an outbox keeps, and for how long; how many deliveries go on at a time.

const HOUR_MS = 3_600_000;

export const LIMITS = {
  waiting: 100_000,
  waitingBytes: 256 << 20,
  heldBytes: 192 << 20,
  finished: 1000,
  finishedBytes: 16 << 20,
  payloadBytes: 2 << 20,
  /** What is older has one try and no other: it waited behind others for all that time. */
  ageMs: 72 * HOUR_MS,
  perTarget: 4,
  /** Mails that nobody takes hold up no webhook. */
  perTopic: 32,
  /** Before a target that does not answer is asked again; doubles. */
  pauseMs: 1000,
  /** At the end, for what is on its way; then it is told to stop, and gets half a second for that. */
  graceMs: 3000,
  /** The journal is written anew when it is so much larger than what is in it. */
  slackBytes: 1 << 20,
};
