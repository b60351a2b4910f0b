// What one does with submissions: each says what was done, with the way back.

import { useEffect, useRef } from 'preact/hooks';
import { LostError, OfflineError } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { FORMS_URL, type FormSubmission, type InboxStatus, toSubmissionUrl } from './form-entry.ts';
import { type InboxRows, toHeldKey } from './use-inbox-rows.ts';

export interface Marking {
  /** `onUndone` is called after a way back. */
  mark(submission: FormSubmission, status: InboxStatus, title: string, onUndone?: () => void): Promise<boolean>;
  /** By being opened: says nothing if it works; without a connection it is done once that is back. */
  open(submission: FormSubmission): Promise<void>;
  remove(submission: FormSubmission, title: string, onUndone?: () => void): void;
}

export function useMarking({ pages }: Pick<InboxRows, 'pages'>): Marking {
  const { request, resources, messages, live } = useAdmin();
  /** One change of a submission after another: the last one that was wished is the last one that is made. */
  const sending = useRef(new Map<string, Promise<void>>());
  /** Those that were opened without a connection. */
  const opened = useRef(new Map<string, FormSubmission>());

  /** At once, before the service says so. */
  function show(submission: FormSubmission): void {
    const { state } = resources.get<FormSubmission>(toSubmissionUrl(submission.form, submission.id));
    state.value = { kind: 'ready', data: submission, isStale: false };
    pages.change(submission.id, submission);
  }

  async function send(submission: FormSubmission, status: InboxStatus): Promise<void> {
    show({ ...submission, status });
    const url = toSubmissionUrl(submission.form, submission.id);
    const before = sending.current.get(url) ?? Promise.resolve();
    const sent = before.then(() => request<FormSubmission>('PATCH', url, { body: { status } }));
    const settled = sent.then(
      () => undefined,
      () => undefined,
    );
    sending.current.set(url, settled);
    const isLast = (): boolean => sending.current.get(url) === settled;
    try {
      const { data } = await sent;
      if (isLast()) show(data);
      resources.refresh(FORMS_URL);
    } catch (error) {
      if (isLast()) show(submission);
      throw error;
    } finally {
      if (isLast()) sending.current.delete(url);
    }
  }

  async function mark(...[submission, status, title, onUndone]: Parameters<Marking['mark']>): Promise<boolean> {
    try {
      if (status === 'new') opened.current.delete(submission.id);
      await send(submission, status);
      opened.current.delete(submission.id);
      pages.refresh();
      const undo = async (): Promise<void> => {
        try {
          await send({ ...submission, status }, submission.status);
          pages.refresh();
          onUndone?.();
        } catch (error) {
          messages.fail(toSentence(error));
        }
      };
      messages.notify(t(`inbox.done.${status}`, { title }), () => void undo());
      return true;
    } catch (error) {
      messages.fail(toReason('inbox.failed', title, error));
      return false;
    }
  }

  /** `isLate` if it was opened some time ago: what others did since stands. */
  async function open(submission: FormSubmission, isLate = false): Promise<void> {
    const url = toSubmissionUrl(submission.form, submission.id);
    try {
      const now = isLate ? (await request<FormSubmission>('GET', url)).data : submission;
      if (now.status === 'new') await send(now, 'read');
    } catch (error) {
      if (error instanceof OfflineError) opened.current.set(submission.id, submission);
      else messages.fail(toSentence(error));
    }
  }
  useEffect(
    () =>
      live.listen(({ event }) => {
        if (event !== 'hello') return;
        const waiting = [...opened.current.values()];
        opened.current.clear();
        for (const submission of waiting) void open(submission, true);
      }),
    [],
  );

  return {
    ...{ mark, open },
    remove({ form, id }, title, onUndone) {
      messages.hold({
        key: toHeldKey(form, id),
        text: t('inbox.done.deleted', { title }),
        async act(isLeaving) {
          try {
            await request('DELETE', toSubmissionUrl(form, id), { keepalive: isLeaving });
            pages.change(id, undefined);
            resources.refresh(FORMS_URL, (url) => url === toSubmissionUrl(form, id));
          } catch (error) {
            messages.fail(toReason('inbox.notDeleted', title, error));
          }
        },
        onUndo: () => onUndone?.(),
      });
    },
  };
}

/** Without an answer nobody knows whether it stays as it was. */
function toReason(key: 'inbox.failed' | 'inbox.notDeleted', title: string, error: unknown): string {
  return t(error instanceof LostError ? 'inbox.lost' : key, { title, reason: toSentence(error) });
}
