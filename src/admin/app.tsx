// The admin as a component: who is there, which way they are sent, and the screen of the address.

import type { Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { redirectFor } from './door.ts';
import { ROUTES } from './routes.tsx';
import { useAdmin } from './shell/admin.ts';
import { NotFound } from './shell/screen.tsx';
import { Shell } from './shell/shell.tsx';
import { useNavigate } from './shell/use-navigate.ts';
import { type SignInAgain, SignInAgainDialog } from './sign-in/sign-in-again.tsx';
import { t } from './text/translate.ts';
import { DoorPage } from './ui/door-page.tsx';
import { Failed, Loading } from './ui/states.tsx';

export interface AppProps {
  again: SignInAgain;
  isOnline: Signal<boolean>;
}

export function App(props: AppProps) {
  return (
    <LocationProvider scope="/admin">
      <Screens {...props} />
      <SignInAgainDialog again={props.again} />
    </LocationProvider>
  );
}

function Screens({ isOnline }: AppProps) {
  const { session } = useAdmin();
  const { url } = useLocation();
  const navigate = useNavigate();
  const state = session.state.value;
  const elsewhere = redirectFor(state.kind, url);
  useEffect(() => {
    if (elsewhere !== undefined) navigate(elsewhere, true);
  }, [elsewhere]);

  if (state.kind === 'failed') {
    return (
      <DoorPage heading={t('state.error')}>
        <Failed error={state.error} onRetry={() => void session.load()} />
      </DoorPage>
    );
  }
  if (state.kind === 'loading' || elsewhere !== undefined) return <Loading />;
  const place = state.kind === 'signed-in' ? 'shell' : 'door';
  const screens = (
    <Router>
      {ROUTES.filter((route) => route.place === place).map(({ path, Screen }) => (
        <Route key={path} path={path} component={Screen} />
      ))}
      <Route default component={NotFound} />
    </Router>
  );
  return place === 'shell' ? <Shell isOnline={isOnline.value}>{screens}</Shell> : screens;
}
