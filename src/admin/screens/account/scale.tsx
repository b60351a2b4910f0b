import { useId } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { SCALE } from '../../shell/scale.ts';
import { t } from '../../text/translate.ts';
import { PROFILE_URL } from './addresses.ts';

export function Scale({ zoom }: { zoom: number }) {
  const { request, session, messages } = useAdmin();
  const id = useId();

  async function choose(chosen: number, before?: number): Promise<void> {
    try {
      await request('POST', PROFILE_URL, { body: { zoom: chosen } });
      await session.load();
      const undo = before === undefined ? undefined : () => void choose(before);
      messages.notify(t('scale.saved', { count: chosen }), undo);
    } catch (error) {
      messages.fail(toSentence(error));
    }
  }

  return (
    <div class="field">
      <label for={id}>{t('scale.label')}</label>
      <input
        {...{ id, ...SCALE }}
        class="scale"
        type="number"
        step={1}
        required
        value={zoom}
        aria-describedby={`${id}-help`}
        onChange={({ currentTarget: input }) => {
          if (!input.reportValidity()) return;
          if (input.valueAsNumber !== zoom) void choose(input.valueAsNumber, zoom);
        }}
      />
      <p class="help" id={`${id}-help`}>
        {t('scale.help')}
      </p>
    </div>
  );
}
