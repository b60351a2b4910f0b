// The admin as a component: who is there, which way they are sent, and the screen of the address.

import type { Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { redirectFor } from './door.ts';
import { ROUTES, type ScreenRoute } from './routes.tsx';
import { useAdmin } from './shell/admin.ts';
import { NotFound } from './shell/screen.tsx';
import { Shell } from './shell/shell.tsx';
import { useNavigate } from './shell/use-navigate.ts';
import { type SignInAgain, SignInAgainDialog } from './sign-in/sign-in-again.tsx';
import { t } from './text/translate.ts';
import { Boundary } from './ui/boundary.tsx';
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
  if (state.kind === 'loading' || elsewhere !== undefined) {
    return (
      <>
        <WaitingHeading />
        <Loading />
      </>
    );
  }
  if (state.kind !== 'signed-in') return <Place key="door" name="door" />;
  return (
    <Shell isOnline={isOnline.value}>
      <Place key="shell" name="shell" />
    </Shell>
  );
}

/** The screens of a place. The one before stays until the next one is loaded; the first has none before it. */
function Place({ name }: { name: ScreenRoute['place'] }) {
  const { url } = useLocation();
  const isFirst = useRef(true);
  const [isWaiting, setWaiting] = useState(false);
  useLayoutEffect(() => {
    isFirst.current = false;
  }, []);
  const router = useMemo(
    () => (
      <Router onLoadStart={() => setWaiting(isFirst.current)} onLoadEnd={() => setWaiting(false)}>
        {ROUTES.filter(({ place }) => place === name).map(({ path, Screen }) => (
          <Route key={path} path={path} component={Screen} />
        ))}
        <Route default component={NotFound} />
      </Router>
    ),
    [name],
  );
  return (
    <>
      {isWaiting && <WaitingHeading />}
      <Boundary of={url} heading={t('state.error')}>
        {router}
      </Boundary>
    </>
  );
}

/** For those who go by headings: a page has one, also while there is nothing to see yet. */
function WaitingHeading() {
  return <h1 class="hidden">{t('app.loading')}</h1>;
}
