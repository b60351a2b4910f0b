// Work after an answer: making and mailing a link must not make the answer slower for an account that exists than for
// one that does not. It must never log an address, a subject or a body.
import { setTimeout as delay } from 'node:timers/promises';
import type { InfoLogger } from '../../data/info-logger.ts';
import type { Mail, Mailer } from '../../outbound/mailer.ts';

export interface Post {
  /** False if mail would only be written to the process log, where no link may be. */
  isSetUp: boolean;
  /** Runs `work` later, without a result; logs a failure. Drops it if too many are under way (MAX_AT_ONCE). */
  behind(what: string, work: () => Promise<void>): void;
  /** Sends the mail now, and again after a pause unless it was refused for good. */
  send(what: string, mail: Mail): Promise<void>;
  /** Ends all pauses; resolves once nothing is under way, at the latest after CLOSE_MS. */
  close(): Promise<void>;
  /** Resolves once nothing is under way. */
  settled(): Promise<void>;
}

const MAX_AT_ONCE = 200;
const RETRY_AFTER_MS = [5_000, 60_000];
/** By then the answer has left, so its time reveals nothing about the work. */
const BEHIND_MS = 50;
/** A mail server that does not answer must not delay the shutdown. */
const CLOSE_MS = 2_000;

export function createPost(options: {
  /** Undefined if neither SMTP_URL nor RESEND_API_KEY is set. */
  mailer: Mailer | undefined;
  retryAfterMs?: readonly number[];
  logger: InfoLogger;
}): Post {
  const { mailer, retryAfterMs = RETRY_AFTER_MS, logger } = options;
  const stop = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function attempt(what: string, mail: Mail, tries: readonly number[]): Promise<void> {
    if (!mailer) return;
    const [pauseMs, ...later] = tries;
    try {
      const { refused } = await mailer.send({ ...mail, signal: stop.signal });
      logger.info({ mail: what }, refused === undefined ? 'a mail was sent' : 'a mail was refused for good');
    } catch (error) {
      // A server's own words may repeat the address.
      const { name, code, responseCode } = error as Error & { code?: string; responseCode?: number };
      logger.info(
        { mail: what, error: name, code, responseCode, isLast: pauseMs === undefined },
        'a mail was not sent',
      );
      if (pauseMs === undefined) return;
      const goesOn = await delay(pauseMs, true, { signal: stop.signal }).catch(() => false);
      if (goesOn) await attempt(what, mail, later);
    }
  }

  async function settled(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  return {
    isSetUp: mailer !== undefined,
    behind(what, work) {
      if (underWay.size >= MAX_AT_ONCE) {
        logger.info({ mail: what }, 'too many mails at once; one was dropped');
        return;
      }
      const task = delay(BEHIND_MS, undefined, { signal: stop.signal })
        .catch(() => undefined) // the service is ending: run the work at once
        .then(work)
        // The edge of this work: no caller waits for it that could get the error.
        .catch((error: unknown) => logger.info({ mail: what, err: error }, 'work after an answer failed'))
        .finally(() => underWay.delete(task));
      underWay.add(task);
    },
    send: (what, mail) => attempt(what, mail, retryAfterMs),
    settled,
    async close() {
      stop.abort();
      const isSettled = new AbortController();
      const enough = delay(CLOSE_MS, undefined, { signal: isSettled.signal }).catch(() => undefined); // settled before
      await Promise.race([settled(), enough]);
      isSettled.abort();
    },
  };
}
