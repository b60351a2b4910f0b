import { useId, useState } from 'preact/hooks';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/use-submit.ts';

export interface RejectDialogProps {
  title: string;
  onReject(feedback: string): Promise<void>;
  onClose(): void;
}

const MAX_CHARS = 5000;

/** Why an item is rejected: the agent reads it before its next work. */
export function RejectDialog({ title, onReject, onClose }: RejectDialogProps) {
  const [feedback, setFeedback] = useState('');
  const { problem, isBusy, run } = useSubmit();
  const id = useId();
  const reject = (): Promise<void> =>
    run(async () => {
      await onReject(feedback.trim());
      onClose();
    });
  return (
    <Dialog title={t('curation.reject')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void reject();
        }}
      >
        {problem && (
          <div class="problem" role="alert">
            {problem}
          </div>
        )}
        <p>
          <bdi>{title}</bdi>
        </p>
        <div class="field">
          <label for={id}>{t('curation.feedback')}</label>
          <textarea
            id={id}
            rows={3}
            maxLength={MAX_CHARS}
            value={feedback}
            aria-describedby={`${id}-help`}
            onInput={({ currentTarget }) => setFeedback(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              void reject();
            }}
          />
          <p class="help" id={`${id}-help`}>
            {t('curation.feedbackHelp')}
          </p>
        </div>
        <div class="buttons">
          <button type="submit" class="primary" aria-busy={isBusy}>
            {t('curation.reject')}
          </button>
          <button type="button" onClick={onClose}>
            {t('app.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
