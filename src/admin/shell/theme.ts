// Light, dark, or as the system is. The choice is a cookie, so that the service's page has it before the first paint.
import { type Signal, signal } from '@preact/signals';

export const THEMES = ['light', 'dark', 'system'] as const;
export type ThemeChoice = (typeof THEMES)[number];

export interface Theme {
  readonly choice: Signal<ThemeChoice>;
  choose(choice: ThemeChoice): void;
}

const COOKIE = 'cms-theme';
const YEAR_S = 365 * 24 * 3600;

export function createTheme(document: Document): Theme {
  const root = document.documentElement;
  const stored = root.dataset.theme;
  const choice = signal<ThemeChoice>(stored === 'light' || stored === 'dark' ? stored : 'system');
  return {
    choice,
    choose(next) {
      choice.value = next;
      const isChosen = next !== 'system';
      document.cookie = `${COOKIE}=${isChosen ? next : ''}; Path=/admin; SameSite=Lax; Max-Age=${isChosen ? YEAR_S : 0}`;
      if (isChosen) root.dataset.theme = next;
      else delete root.dataset.theme;
      document.querySelector('meta[name="color-scheme"]')?.setAttribute('content', isChosen ? next : 'light dark');
    },
  };
}
