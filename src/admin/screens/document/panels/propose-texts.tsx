// The button that lets a model translate, and how far it is. Nothing is stored by it.
import { t } from '../../../text/translate.ts';
import { Failure, Running, WarningList } from '../ai/asking-parts.tsx';
import type { Proposing } from './use-proposing.ts';

export function ProposeTexts({ start, stop, state }: Proposing) {
  if (!start) return null;
  if (state.kind === 'running') return <Running text={t('proposal.running')} onStop={stop} />;
  return (
    <div class="propose">
      <button type="button" onClick={start}>
        {t('proposal.start')}
      </button>
      <p class="help">{t('proposal.help')}</p>
      {state.kind === 'failed' && <Failure error={state.error} />}
      {state.kind === 'done' && <WarningList notes={state.answer} />}
    </div>
  );
}
