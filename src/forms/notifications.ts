// Notifies the site's webhooks (`form.submitted`), the form's own webhook and each of its addresses of a submission
// (interface.md, "Events", rule 4). The notifications are in the outbox before the visitor gets an answer, and are
// delivered at least once. The outbox has only the submission's id: if it is removed first, nobody is notified.
import type { FormConfig } from '../config/form-config.ts';
import type { Logger } from '../lib/logger.ts';
import type { Mailer } from '../outbound/mailer.ts';
import type { Outbound } from '../outbound/request.ts';
import type { Deliver, Delivered, NewEntry, Outbox } from '../outbox/outbox.ts';
import type { Events } from '../webhooks/events.ts';
import { toNotice } from './notice.ts';
import type { Submission } from './submission.ts';
import type { Submissions } from './submissions.ts';

export interface NotificationParts {
  events: Events;
  outbox: Outbox;
  outbound: Outbound;
  mailer: Mailer;
  submissions: Pick<Submissions, 'find'>;
  findForm(name: string): FormConfig | undefined;
  logger: Pick<Logger, 'warn'>;
}

const WEBHOOK = 'form-webhook';
const MAIL = 'form-mail';
const TIMEOUT_MS = 10_000;
/** For an answer whose body is ignored. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Registers the deliverers. Returns a function that resolves once all notifications of a submission are durable. */
export function createNotifications(parts: NotificationParts): (form: FormConfig, sent: Submission) => Promise<void> {
  const { events, outbox, outbound, mailer, submissions, findForm, logger } = parts;
  outbox.register(
    WEBHOOK,
    ofSubmission(async ({ id, payload }, submission) => {
      const { status, durationMs } = await outbound.request({
        url: payload.url,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Colophon',
          'X-CMS-Event': 'form.submitted',
          // The same for each try, so that the receiver recognises a repeat.
          'X-CMS-Delivery': id,
        },
        body: JSON.stringify(submission),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
      });
      const ok = status >= 200 && status < 300;
      return { ok, gone: status === 410, status, durationMs, ...(ok ? {} : { detail: `it answered ${status}` }) };
    }),
  );
  outbox.register(
    MAIL,
    ofSubmission(async ({ id, payload }, submission, signal) => {
      const notice = toNotice(findForm(submission.form), submission);
      const { refused } = await mailer.send({ ...notice, to: payload.to, id, signal });
      return refused === undefined ? { ok: true } : { ok: false, gone: true, detail: refused };
    }),
  );

  type Notify = (entry: Parameters<Deliver>[0], submission: Submission, signal: AbortSignal) => Promise<Delivered>;

  function ofSubmission(notify: Notify): Deliver {
    return async (entry, signal) => {
      const found = await submissions.find(entry.payload.form, entry.payload.submission);
      if (!found) return { ok: false, gone: true, detail: 'the submission was removed' };
      // The submission as it was sent, for each try.
      const { readAt, ...sent } = found;
      const delivered = await notify(entry, { ...sent, status: 'new' }, signal).catch(
        (error: Error): Delivered => ({ ok: false, detail: error.message }),
      );
      const { ok, gone = false, detail } = delivered;
      // The inbox does not show this failure.
      if (!ok)
        logger.warn({ ...entry.about, topic: entry.topic, detail, gone }, 'a notification of a submission failed');
      return delivered;
    };
  }

  return async (form, sent) => {
    const entries = toEntries(form, sent);
    if (entries.length > 0) await outbox.add(entries);
    await events.emit({
      event: 'form.submitted',
      actor: { kind: 'visitor' },
      data: sent,
      at: new Date(sent.createdAt),
      key: `form/${form.name}`,
      id: `form.submitted/${sent.id}`,
    });
  };
}

function toEntries({ name, notifications = {} }: FormConfig, { id }: Submission): NewEntry[] {
  const { webhook: url, email = [] } = notifications;
  const about = { form: name, submission: id };
  const entries: NewEntry[] = [...new Set(email)].map((to, i) => ({
    id: `${MAIL}/${id}/${i}`,
    topic: MAIL,
    key: to,
    about,
    payload: { ...about, to },
  }));
  if (url !== undefined) {
    entries.push({
      id: `${WEBHOOK}/${id}`,
      topic: WEBHOOK,
      key: name,
      target: url,
      about,
      payload: { ...about, url },
    });
  }
  return entries;
}
