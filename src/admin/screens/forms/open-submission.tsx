// The submission that is open: read from the service, marked as read once, and followed.
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { isMissing } from '../../api/failure.ts';
import type { ResourceState } from '../../api/resources.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { type FormSubmission, type InboxStatus, toSubmissionUrl } from './form-entry.ts';
import { SubmissionView, type SubmissionViewProps } from './submission-view.tsx';
import type { SubmissionNews } from './use-inbox-rows.ts';
import type { Marking } from './use-marking.ts';

export interface OpenSubmissionProps
  extends Pick<SubmissionViewProps, 'fields' | 'formLabel' | 'mayWrite' | 'hasFocus' | 'onPrevious' | 'onNext'> {
  form: string;
  id: string;
  /** As the list has it. */
  known: FormSubmission | undefined;
  marking: Marking;
  /** What is on the screen, for keys. */
  opened: RefObject<FormSubmission | undefined>;
  titleOf(submission: FormSubmission): string;
  onClose(): void;
  onMark(submission: FormSubmission, status: InboxStatus): void;
  onDelete(submission: FormSubmission): void;
}

export function OpenSubmission(props: OpenSubmissionProps) {
  const { form, id, known, marking, opened, mayWrite, titleOf, onClose, onMark, onDelete } = props;
  const { state, refresh } = useResource<FormSubmission>(toSubmissionUrl(form, id));
  const isGone = useIsGone(form, id, state);
  const submission = isGone ? undefined : state.kind === 'ready' ? state.data : known;
  opened.current = submission;
  // Before a key can be about it.
  useLayoutEffect(() => {
    // Once, so that what is marked as new stays so.
    if (!mayWrite || submission?.status !== 'new') return;
    opened.current = { ...submission, status: 'read' };
    void marking.open(submission);
  }, [submission === undefined]);
  // The next one is drawn before this one is gone.
  useEffect(
    () => () => {
      if (opened.current?.id === id) opened.current = undefined;
    },
    [],
  );
  return (
    <section class="submission-view" aria-label={t('submission.region')}>
      <button type="button" class="plain submission-back" onClick={onClose}>
        <Icon name="left" />
        {t('submission.toList')}
      </button>
      {isGone && <p role="status">{t('submission.missing')}</p>}
      {!isGone && !submission && state.kind === 'failed' && <Failed error={state.error} onRetry={refresh} />}
      {!isGone && !submission && state.kind === 'loading' && <Loading />}
      {submission && (
        <SubmissionView
          {...props}
          submission={submission}
          title={titleOf(submission)}
          onMark={(status) => onMark(submission, status)}
          onDelete={() => onDelete(submission)}
        />
      )}
    </section>
  );
}

/** Deleted by another person while it was open, or never there. */
function useIsGone(form: string, id: string, state: ResourceState<FormSubmission>): boolean {
  const { live, request } = useAdmin();
  const [isRemoved, setRemoved] = useState(false);
  /** Whatever else went wrong, what is on the screen stays. */
  const noteMissing = (error: unknown): void => {
    if (isMissing(error)) setRemoved(true);
  };
  useEffect(
    () =>
      live.listen(({ event, data }) => {
        // What happened without a connection is reported by no event.
        if (event === 'hello') void request('GET', toSubmissionUrl(form, id)).catch(noteMissing);
        const news = data as SubmissionNews;
        if (event === 'submission' && news.change === 'removed' && news.form === form && news.id === id) {
          setRemoved(true);
        }
      }),
    [],
  );
  return isRemoved || (state.kind === 'failed' && isMissing(state.error));
}
