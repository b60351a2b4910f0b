// What is missing if the site has no model to work with, in the service's sentence.
import type { Schema } from '../api/answer.ts';
import { toSentence } from '../api/sentence.ts';
import { useResource } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import '../text/en-ai.ts';

const AI_URL = '/api/cms/ai';
/** For what cannot be done without a model: its description says why. */
export const NO_PROVIDER_ID = 'no-provider';

/** Undefined until it is known. */
export function useAiState(): Schema<'AiState'> | undefined {
  const { state } = useResource<Schema<'AiState'>>(AI_URL);
  return state.kind === 'ready' ? state.data : undefined;
}

/** Nothing if there is a model. */
export function NoProvider() {
  const state = useAiState();
  if (!state || state.ready) return null;
  return (
    <div class="no-provider" id={NO_PROVIDER_ID} role="note">
      <Icon name="warning" />
      <div>
        <p>{toSentence(state.problem)}.</p>
        <p class="help">{t('ai.whoSets')}</p>
      </div>
    </div>
  );
}
