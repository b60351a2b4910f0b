import { useId } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { hasLetterKeys, LETTER_KEYS } from '../../shell/letter-keys.ts';
import { t } from '../../text/translate.ts';
import { PROFILE_URL } from './addresses.ts';

export function LetterKeys({ preferences }: { preferences: Readonly<Record<string, unknown>> }) {
  const { request, session, messages } = useAdmin();
  const id = useId();

  async function choose(isOn: boolean): Promise<void> {
    try {
      // On is how it is without a preference.
      await request('PATCH', PROFILE_URL, { body: { preferences: { [LETTER_KEYS]: isOn ? null : false } } });
      messages.notify(t(isOn ? 'letterKeys.on' : 'letterKeys.off'), () => void choose(!isOn));
    } catch (error) {
      messages.fail(toSentence(error));
    }
    // What is stored is shown, also if it could not be changed.
    await session.load();
  }

  return (
    <div class="field">
      <label class="tick">
        <input
          type="checkbox"
          checked={hasLetterKeys(preferences)}
          aria-describedby={`${id}-help`}
          onChange={({ currentTarget }) => void choose(currentTarget.checked)}
        />
        {t('letterKeys.label')}
      </label>
      <p class="help" id={`${id}-help`}>
        {t('letterKeys.help')}
      </p>
    </div>
  );
}
