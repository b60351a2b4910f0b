// Files on the screen: pages are added as one asks for more; another question starts again.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAdmin } from '../shell/admin.ts';
import { createFilePages, type FilePages, type FileQuery } from './file-pages.ts';
import type { MediaFile } from './media-file.ts';

export interface FilesState {
  /** Undefined until the first page is there. */
  files: readonly MediaFile[] | undefined;
  total: number | undefined;
  isDone: boolean;
  error: unknown;
  /** One more page. */
  more(): void;
  /** Everything on the screen, read again. */
  reload(): void;
}

const PAGE = 60;

export function useFiles(query: FileQuery): FilesState {
  const { request } = useAdmin();
  const key = JSON.stringify(query);
  const [shown, setShown] = useState<{ key: string; files: readonly MediaFile[]; pages: FilePages }>();
  const [error, setError] = useState<unknown>();
  const latest = useRef(0);
  const count = useRef(PAGE);

  async function read(pages: FilePages, before: readonly MediaFile[], wanted: number): Promise<void> {
    const turn = ++latest.current;
    try {
      const files = [...before, ...(await pages.next(wanted))];
      if (turn !== latest.current) return;
      count.current = Math.max(files.length, PAGE);
      setError(undefined);
      setShown({ key, files, pages });
    } catch (failure) {
      if (turn === latest.current) setError(failure);
    }
  }

  const begin = (wanted: number): void => {
    const fetchFiles = async (url: string) =>
      (await request<{ files: readonly MediaFile[]; total: number }>('GET', url)).data;
    void read(createFilePages(fetchFiles, query), [], wanted);
  };

  useEffect(() => {
    begin(PAGE);
    return () => void (latest.current += 1);
  }, [key]);

  return {
    files: shown?.files,
    total: shown?.pages.total(),
    isDone: shown?.pages.isDone() ?? false,
    error,
    more: () => shown && void read(shown.pages, shown.files, PAGE),
    reload: () => begin(count.current),
  };
}
