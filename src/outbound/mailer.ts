// Sends mail as the environment says: by an SMTP server, by Resend or, without either, to the process log (interface.md,
// "Events", rule 4). The caller decides what to do about a failure; the mailer keeps nothing.
import { z } from 'zod';
import type { Logger } from '../lib/logger.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  replyTo?: string;
  /** Stable, so that a repeat can be recognised: the local part of the message's id, and Resend's idempotency key. */
  id?: string;
  /** Stops the sending. */
  signal?: AbortSignal;
}

export interface Mailer {
  /**
   * `refused` says why nobody will ever accept this mail. @throws Error if another attempt may succeed: no server, a
   * full mailbox, credentials that an operator has to fix.
   */
  send(mail: Mail): Promise<{ refused?: string }>;
}

export interface MailerParts {
  smtpUrl?: string | undefined;
  resendApiKey?: string | undefined;
  resendUrl?: string;
  /** `CMS_EMAIL_FROM`. */
  from?: string | undefined;
  fetch: typeof fetch;
  logger: Pick<Logger, 'info'>;
}

/** Its name says what is missing; servers on the internet do not accept it as a sender. */
export const DEFAULT_FROM = '"Colophon, without CMS_EMAIL_FROM" <colophon@localhost>';

const RESEND_URL = 'https://api.resend.com';
const TIMEOUT_MS = 30_000;

export function createMailer(parts: MailerParts): Mailer {
  const { smtpUrl, resendApiKey, from = DEFAULT_FROM, logger } = parts;
  if (smtpUrl) return createSmtpMailer(smtpUrl, from);
  if (resendApiKey) return createResendMailer({ ...parts, resendApiKey, from });
  return {
    async send({ signal, id, html, ...mail }) {
      logger.info({ mail: { from, ...mail } }, 'mail, which would be sent with SMTP_URL or RESEND_API_KEY');
      return {};
    },
  };
}

/** Replies to an envelope or a message that no later attempt changes (RFC 5321, section 4.2.1). */
const REFUSED_FROM = 550;

function createSmtpMailer(url: string, from: string): Mailer {
  let opened: ReturnType<typeof openTransport> | undefined;
  return {
    async send({ id, ...mail }) {
      const messageId = id === undefined ? {} : { messageId: `<${toToken(id)}@colophon.invalid>` };
      opened ??= openTransport(url);
      const transport = await opened;
      try {
        const { to, ...message } = clean(mail);
        // Not as text, which is parsed as a list: `a,b@example.com` would go to a different mailbox.
        await transport.sendMail({ ...message, to: { name: '', address: to }, ...messageId, from });
        return {};
      } catch (error) {
        const {
          responseCode = 0,
          command = '',
          message,
        } = error as Error & { responseCode?: number; command?: string };
        if (responseCode >= REFUSED_FROM && responseCode < 600 && /^(RCPT TO|DATA)$/.test(command)) {
          return { refused: message };
        }
        throw error;
      }
    },
  };
}

/**
 * Uses TLS if the server offers it; `smtps:` uses it from the start. Starting the service does not load the library.
 */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

const ResendProblem = z.object({ name: z.string().default(''), message: z.string() });
/** The mail itself is wrong (resend.com/docs/api-reference/errors); 401, 403 and 429 have other causes. */
const RESEND_REFUSALS = new Set([400, 422]);
/** The sender is wrong, which comes from the environment. */
const RESEND_SENDER = 'invalid_from_address';

function createResendMailer(parts: MailerParts & { resendApiKey: string; from: string }): Mailer {
  const { resendApiKey, resendUrl = RESEND_URL, from, fetch } = parts;
  return {
    async send(mail) {
      const { id, signal, replyTo, ...message } = clean(mail);
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(`${resendUrl}/emails`, {
        method: 'POST',
        redirect: 'error',
        headers: {
          Authorization: `Bearer ${resendApiKey}`,
          'Content-Type': 'application/json',
          ...(id === undefined ? {} : { 'Idempotency-Key': toToken(id) }),
        },
        body: JSON.stringify({ from, ...message, to: [mail.to], ...(replyTo ? { reply_to: replyTo } : {}) }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const text = await answer.text();
      if (answer.ok) return {};
      const problem = ResendProblem.safeParse(parseJson(text)).data;
      const sentence = `Resend answered ${answer.status}: ${(problem?.message ?? 'no reason given').slice(0, 200)}`;
      if (RESEND_REFUSALS.has(answer.status) && problem?.name !== RESEND_SENDER) return { refused: sentence };
      throw new Error(sentence);
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A header is one line, even if its text comes from a stranger. */
function clean<M extends Omit<Mail, 'id'>>(mail: M): M {
  const { replyTo } = mail;
  return {
    ...mail,
    subject: oneLine(mail.subject),
    to: oneLine(mail.to),
    ...(replyTo === undefined ? {} : { replyTo: oneLine(replyTo) }),
  };
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

function toToken(id: string): string {
  return id.replace(/[^A-Za-z0-9._-]+/g, '.');
}
