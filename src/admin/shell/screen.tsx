// What a screen in the shell consists of: its heading, which a change of screens moves the focus to, and its content.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { beginScreen } from './begin-screen.ts';
import { useRemember } from './use-recent.ts';
import { useTitle } from './use-title.ts';

export interface ScreenProps {
  heading: string;
  /** What is at the address: nothing is not offered again, and a failure says neither. */
  kind?: 'place' | 'nothing' | 'failed';
  children: ComponentChildren;
}

export function Screen({ heading, kind = 'place', children }: ScreenProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useTitle(heading);
  useRemember(heading, kind);
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
    <Screen heading={t('state.notFound')} kind="nothing">
      <p>{t('state.notFoundText')}</p>
      <p>
        <a href="/admin">{t('state.toDashboard')}</a> · <a href="/admin/trash">{t('trash.title')}</a>
      </p>
    </Screen>
  );
}
