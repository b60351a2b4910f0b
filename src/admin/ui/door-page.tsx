// The frame of the screens in front of the door: set-up, sign-in, forgotten password.
import type { ComponentChildren } from 'preact';
import { t } from '../text/translate.ts';

export function DoorPage({ heading, children }: { heading: string; children: ComponentChildren }) {
  return (
    <div class="door">
      <main id="content">
        <p class="door-brand" aria-hidden="true">
          ❧ {t('app.name')}
        </p>
        <h1>{heading}</h1>
        {children}
      </main>
    </div>
  );
}
