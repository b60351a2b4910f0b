import { useLayoutEffect } from 'preact/hooks';
import { t } from '../text/translate.ts';

/** The title of the page: the screen's heading, then ours. */
export function useTitle(heading: string): void {
  useLayoutEffect(() => {
    document.title = `${heading} · ${t('app.name')}`;
  }, [heading]);
}
