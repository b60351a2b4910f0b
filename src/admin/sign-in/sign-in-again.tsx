// A session that is over: the person signs in over the page, and what was under way goes on.
import { type Signal, signal } from '@preact/signals';
import { useAdmin } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

export interface SignInAgain {
  readonly isAsking: Signal<boolean>;
  /** Resolves once the same person has signed in; everybody who waits shares the question. */
  ask(): Promise<void>;
  done(): void;
}

export function createSignInAgain(): SignInAgain {
  const isAsking = signal(false);
  let waiting: PromiseWithResolvers<void> | undefined;
  return {
    isAsking,
    ask() {
      waiting ??= Promise.withResolvers<void>();
      isAsking.value = true;
      return waiting.promise;
    },
    done() {
      isAsking.value = false;
      waiting?.resolve();
      waiting = undefined;
    },
  };
}

export function SignInAgainDialog({ again }: { again: SignInAgain }) {
  const { session } = useAdmin();
  const state = session.state.value;
  if (!again.isAsking.value || state.kind !== 'signed-in') return null;
  return (
    <Dialog title={t('login.again')}>
      <p>{t('login.againText')}</p>
      <SignInForm email={state.profile.user.email} onDone={again.done} />
    </Dialog>
  );
}
