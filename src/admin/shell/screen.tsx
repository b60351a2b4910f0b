// What a screen in the shell consists of: its heading, which a change of screens moves the focus to, and its content.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { beginScreen } from './begin-screen.ts';
import { useTitle } from './use-title.ts';

export function Screen({ heading, children }: { heading: string; children: ComponentChildren }) {
  const title = useRef<HTMLHeadingElement>(null);
  useTitle(heading);
  useEffect(() => {
    if (beginScreen() > 1) title.current?.focus();
  }, []);
  return (
    <>
      <h1 ref={title} tabIndex={-1}>
        {heading}
      </h1>
      {children}
    </>
  );
}

export function NotFound() {
  return (
    <Screen heading={t('state.notFound')}>
      <p>{t('state.notFoundText')}</p>
      <p>
        <a href="/admin">{t('state.toDashboard')}</a>
      </p>
    </Screen>
  );
}

export function ScreenMissing() {
  return (
    <Screen heading={t('app.updated')}>
      <div role="alert">
        <p>{t('app.updatedText')}</p>
        <button type="button" class="primary" onClick={() => location.reload()}>
          {t('app.reload')}
        </button>
      </div>
    </Screen>
  );
}
