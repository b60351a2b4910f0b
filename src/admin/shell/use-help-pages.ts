import { useEffect, useState } from 'preact/hooks';
import type { HelpPage } from '../screens/help/help-page.ts';

/** The guide for editors, which is loaded when it is wanted; nothing until then. */
export function useHelpPages(): readonly HelpPage[] {
  const [pages, setPages] = useState<readonly HelpPage[]>([]);
  useEffect(() => {
    let isOpen = true;
    import('colophon:help').then(
      ({ default: loaded }) => isOpen && setPages(loaded),
      // After an upgrade, or offline; the screen of the guide says what is wrong.
      () => undefined,
    );
    return () => {
      isOpen = false;
    };
  }, []);
  return pages;
}
