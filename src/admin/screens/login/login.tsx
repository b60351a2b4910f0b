import { useResource } from '../../shell/admin.ts';
import { useTitle } from '../../shell/use-title.ts';
import { SignInForm } from '../../sign-in/sign-in-form.tsx';
import { t } from '../../text/translate.ts';
import { DoorPage } from '../../ui/door-page.tsx';

interface Methods {
  password: boolean;
  reset: boolean;
  openId: { name: string; url: string } | null;
}

export default function Login() {
  const { state } = useResource<Methods>('/api/auth/methods');
  const methods = state.kind === 'ready' ? state.data : undefined;
  useTitle(t('login.title'));

  return (
    <DoorPage heading={t('login.title')}>
      {/* The page that the service makes for an account may frame its previews. */}
      <SignInForm onDone={() => location.reload()} />
      {methods?.openId && (
        <p>
          <a class="button" href={methods.openId.url}>
            {t('login.with', { name: methods.openId.name })}
          </a>
        </p>
      )}
      {methods?.reset && (
        <p>
          <a href="/admin/forgotten">{t('login.forgotten')}</a>
        </p>
      )}
    </DoorPage>
  );
}
