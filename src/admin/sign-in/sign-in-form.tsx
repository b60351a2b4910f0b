// Signing in: on its own screen, and over the page when a session is over.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { toSentence } from '../api/sentence.ts';
import { useAdmin } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import { TextField } from '../ui/field.tsx';

export interface SignInFormProps {
  /** Given where only this person may go on. */
  email?: string | undefined;
  onDone(): void;
}

export function SignInForm({ email: fixed, onDone }: SignInFormProps) {
  const { request } = useAdmin();
  const [email, setEmail] = useState(fixed ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [wantsCode, setWantsCode] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { left, start } = useCountdown();
  const codeInput = useRef<HTMLInputElement>(null);
  useEffect(() => codeInput.current?.focus(), [wantsCode]);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { email, password, ...(wantsCode ? { code } : {}) };
      const { data } = await request<{ email: string }>('POST', '/api/auth/login', { body });
      if (fixed !== undefined && data.email !== fixed) {
        setProblem(t('login.otherAccount', { email: fixed }));
        return;
      }
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'one_time_code_required') {
        if (wantsCode) setProblem(toSentence(error));
        setWantsCode(true);
      } else {
        setProblem(toSentence(error));
        if (error instanceof ApiError && error.retryAfter) start(error.retryAfter);
      }
    } finally {
      setBusy(false);
    }
  }

  return (
    <form class="form" onSubmit={submit}>
      {problem && (
        <div class="problem" role="alert">
          {problem} {left > 0 && t('state.tooMany', { count: left })}
        </div>
      )}
      <TextField
        label={t('login.email')}
        {...{ name: 'email', type: 'email', autocomplete: 'username', value: email }}
        readOnly={fixed !== undefined}
        onInput={setEmail}
      />
      <TextField
        label={t('login.password')}
        {...{ name: 'password', type: 'password', autocomplete: 'current-password', value: password }}
        onInput={setPassword}
      />
      {wantsCode && (
        <TextField
          label={t('login.code')}
          help={t('login.codeHelp')}
          {...{ name: 'code', autocomplete: 'one-time-code', value: code }}
          inputRef={codeInput}
          onInput={setCode}
        />
      )}
      <button type="submit" class="primary" disabled={left > 0} aria-busy={isBusy}>
        {t('login.submit')}
      </button>
    </form>
  );
}

/** Seconds until another attempt is allowed. */
function useCountdown(): { left: number; start(seconds: number): void } {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(setLeft, 1000, left - 1);
    return () => clearTimeout(timer);
  }, [left]);
  return { left, start: setLeft };
}
