// One-time codes: on with a password and a first code, off with both.
import { useState } from 'preact/hooks';
import type { Profile } from '../../api/session.ts';
import { t } from '../../text/translate.ts';
import { CodesOff } from './codes-off.tsx';
import { CodesOn } from './codes-on.tsx';

export function Codes({ state }: { state: Profile['oneTimeCodes'] }) {
  const [open, setOpen] = useState<'on' | 'off'>();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <p class="help">{t('codes.text')}</p>
      <p>{state.on ? t('codes.on', { count: state.recoveryCodesLeft }) : t('codes.off')}</p>
      <button type="button" onClick={() => setOpen(state.on ? 'off' : 'on')}>
        {t(state.on ? 'codes.turnOff' : 'codes.turnOn')}
      </button>
      {open === 'on' && <CodesOn onClose={close} />}
      {open === 'off' && <CodesOff isWanted={state.wanted} onClose={close} />}
    </>
  );
}
