// The button that lets a model translate, and how far it is. Nothing is stored by it.
import { ApiError } from '../../../api/client.ts';
import { toSentence } from '../../../api/sentence.ts';
import { t } from '../../../text/translate.ts';
import type { Proposing } from './use-proposing.ts';

export function ProposeTexts({ start, stop, state }: Proposing) {
  if (!start) return null;
  if (state.kind === 'running') {
    return (
      <div class="propose">
        <p role="status">{t('proposal.running')}</p>
        <button type="button" onClick={stop}>
          {t('app.cancel')}
        </button>
      </div>
    );
  }
  return (
    <div class="propose">
      <button type="button" onClick={start}>
        {t('proposal.start')}
      </button>
      <p class="help">{t('proposal.help')}</p>
      {state.kind === 'failed' && (
        <p class="error" role="alert">
          {toReason(state.error)}
        </p>
      )}
      {state.kind === 'done' && state.notes.length > 0 && (
        <ul class="notes" aria-label={t('proposal.notes')}>
          {state.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function toReason(error: unknown): string {
  const wait = error instanceof ApiError ? error.retryAfter : undefined;
  const sentence = toSentence(error).replace(/[.!?]?$/, '.');
  return wait === undefined ? sentence : `${sentence} ${t('state.tooMany', { count: wait })}`;
}
