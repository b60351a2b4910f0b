// A list that is read page by page, as one asks for more.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAdmin } from './admin.ts';

export interface More<T> {
  /** Undefined until the first page is there. */
  items: readonly T[] | undefined;
  isDone: boolean;
  error: unknown;
  more(): void;
  /** What is on the screen, read again. */
  reload(): void;
}

const PAGE = 50;

/** `base` is an address with a query, without limit and offset; undefined for nothing to ask. */
export function useMore<T>(base: string | undefined, pick: (data: never) => readonly T[]): More<T> {
  const { request } = useAdmin();
  const [shown, setShown] = useState<{ items: readonly T[]; isDone: boolean }>();
  const [error, setError] = useState<unknown>();
  const latest = useRef(0);
  /** The address of what is on the screen. */
  const kept = useRef<string>(undefined);

  async function read(before: readonly T[], limit: number): Promise<void> {
    const turn = ++latest.current;
    if (base === undefined) return setShown(undefined);
    try {
      const { data } = await request('GET', `${base}&limit=${limit}&offset=${before.length}`);
      if (turn !== latest.current) return;
      const items = pick(data as never);
      kept.current = base;
      setShown({ items: [...before, ...items], isDone: items.length < limit });
      setError(undefined);
    } catch (failure) {
      // What was loaded stays, if it was only to be read again.
      if (turn === latest.current && (before.length > 0 || kept.current !== base)) setError(failure);
    }
  }

  useEffect(() => {
    void read([], PAGE);
    return () => void (latest.current += 1);
  }, [base]);

  return {
    items: shown?.items,
    isDone: shown?.isDone ?? false,
    error,
    more: () => void read(shown?.items ?? [], PAGE),
    reload: () => void read([], Math.max(PAGE, shown?.items.length ?? 0)),
  };
}
