import { useId, useState } from 'preact/hooks';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';

export interface RejectDialogProps {
  title: string;
  onReject(feedback: string): void;
  onClose(): void;
}

const MAX_CHARS = 5000;

/** Why an item is rejected: the agent reads it before its next work. */
export function RejectDialog({ title, onReject, onClose }: RejectDialogProps) {
  const [feedback, setFeedback] = useState('');
  const id = useId();
  return (
    <Dialog title={t('curation.reject')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onReject(feedback.trim());
        }}
      >
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
              onReject(feedback.trim());
            }}
          />
          <p class="help" id={`${id}-help`}>
            {t('curation.feedbackHelp')}
          </p>
        </div>
        <div class="buttons">
          <button type="submit" class="primary">
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
