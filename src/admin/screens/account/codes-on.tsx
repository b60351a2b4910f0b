// Three steps: the password, the secret with a first code, and the recovery codes.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { useCopied } from '../../shell/use-copied.ts';
import { t } from '../../text/translate.ts';
import { CopyField, tryToCopy } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { CODES_URL } from './addresses.ts';

interface Secret {
  secret: string;
  /** `otpauth://`, which authenticator apps open. */
  uri: string;
}

type TurningOn =
  | { kind: 'password' }
  | { kind: 'secret'; secret: Secret }
  | { kind: 'recovery'; codes: readonly string[] };

export function CodesOn({ onClose }: { onClose(): void }) {
  const [step, setStep] = useState<TurningOn>({ kind: 'password' });
  const isShownOnce = step.kind === 'recovery';
  return (
    <Dialog title={t('codes.turnOnTitle')} onClose={isShownOnce ? undefined : onClose}>
      {step.kind === 'password' && (
        <PasswordStep onDone={(secret) => setStep({ kind: 'secret', secret })} onClose={onClose} />
      )}
      {step.kind === 'secret' && (
        <SecretStep {...step.secret} onDone={(codes) => setStep({ kind: 'recovery', codes })} onClose={onClose} />
      )}
      {step.kind === 'recovery' && <RecoveryStep codes={step.codes} onClose={onClose} />}
    </Dialog>
  );
}

interface StepFormProps {
  verb: string;
  problem: string | undefined;
  isBusy: boolean;
  onSubmit(): void;
  onClose(): void;
  children: ComponentChildren;
}

function StepForm({ verb, problem, isBusy, onSubmit, onClose, children }: StepFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {problem && (
        <div class="problem" role="alert">
          {problem}
        </div>
      )}
      {children}
      <div class="buttons">
        <button type="submit" class="primary" aria-busy={isBusy}>
          {verb}
        </button>
        <button type="button" onClick={onClose}>
          {t('app.cancel')}
        </button>
      </div>
    </form>
  );
}

function PasswordStep({ onDone, onClose }: { onDone(secret: Secret): void; onClose(): void }) {
  const { request } = useAdmin();
  const [currentPassword, setPassword] = useState('');
  const { problem, isBusy, errorOf, run } = useSubmit();
  const begin = async (): Promise<void> =>
    onDone((await request<Secret>('POST', CODES_URL, { body: { currentPassword } })).data);
  return (
    <StepForm verb={t('codes.continue')} {...{ problem, isBusy, onClose }} onSubmit={() => void run(begin)}>
      <TextField
        label={t('profile.currentPassword')}
        {...{ name: 'password', type: 'password', autocomplete: 'current-password' }}
        {...{ value: currentPassword, error: errorOf('currentPassword') }}
        onInput={setPassword}
      />
    </StepForm>
  );
}

interface SecretStepProps extends Secret {
  onDone(codes: readonly string[]): void;
  onClose(): void;
}

function SecretStep({ secret, uri, onDone, onClose }: SecretStepProps) {
  const { request } = useAdmin();
  const [code, setCode] = useState('');
  const { problem, isBusy, errorOf, run } = useSubmit();
  const onCopy = useCopied();
  async function confirm(): Promise<void> {
    const { data } = await request<{ recoveryCodes: string[] }>('POST', `${CODES_URL}/confirm`, { body: { code } });
    onDone(data.recoveryCodes);
  }
  return (
    <StepForm verb={t('codes.turnOn')} {...{ problem, isBusy, onClose }} onSubmit={() => void run(confirm)}>
      <CopyField
        label={t('codes.secret')}
        value={secret}
        verb={t('codes.copySecret')}
        help={t('codes.secretHelp')}
        hasFocus
        onCopy={onCopy}
      />
      <p>
        <a href={uri}>{t('codes.openApp')}</a>
      </p>
      <TextField
        label={t('codes.code')}
        {...{ name: 'code', autocomplete: 'one-time-code', inputMode: 'numeric', value: code, error: errorOf('code') }}
        onInput={setCode}
      />
    </StepForm>
  );
}

function RecoveryStep({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const { session } = useAdmin();
  const onCopy = useCopied();
  const copyButton = useRef<HTMLButtonElement>(null);
  useEffect(() => copyButton.current?.focus(), []);
  const close = (): void => {
    onClose();
    void session.load();
  };
  return (
    <>
      <p role="status">{t('codes.recoveryText')}</p>
      <ul class="recovery" aria-label={t('codes.recovery')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" ref={copyButton} onClick={async () => onCopy(await tryToCopy(codes.join('\n')))}>
          <Icon name="copy" />
          {t('codes.copyRecovery')}
        </button>
        <button type="button" class="primary" onClick={close}>
          {t('codes.kept')}
        </button>
      </div>
    </>
  );
}
