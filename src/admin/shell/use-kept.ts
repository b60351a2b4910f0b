// What one typed and has not sent, kept in the tab: a reload and a look at another screen lose nothing.
import { useMemo } from 'preact/hooks';
import { useOwnKey } from './own-key.ts';

export interface Kept {
  read(): string | null;
  /** An empty text forgets it. */
  keep(text: string): void;
}

/** Kept for this user and this site: who signs in next in the tab does not see it. */
export function useKept(name: string): Kept {
  const key = useOwnKey(name);
  return useMemo(
    () => ({
      read: () => sessionStorage.getItem(key),
      keep(text) {
        if (text === '') sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, text);
      },
    }),
    [key],
  );
}
