// Rows that follow what happens in the service. What was shown before stays until the first answer to what is asked now.
import { useEffect, useState } from 'preact/hooks';
import type { ServiceEvent } from '../../api/service-event.ts';
import { useAdmin } from '../../shell/admin.ts';
import type { RowPages } from './row-pages.ts';

/** After a change others may follow, so the rows are read at most so often. */
const REFRESH_MS = 600;

/** The pages to show. `isAbout` says whether an event may have changed the rows that are asked for. */
export function useFollowedPages<T extends { id: string }>(
  asked: RowPages<T>,
  isAbout: (event: ServiceEvent) => boolean,
): RowPages<T> {
  const { live } = useAdmin();
  const [shown, setShown] = useState(asked);

  useEffect(() => {
    // Listen first, then read: no change is missed in between.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = live.listen((event) => {
      if (event.event !== 'hello' && !isAbout(event)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        asked.refresh();
      }, REFRESH_MS);
    });
    asked.want(0, 1);
    const seen = asked.version.subscribe((version) => {
      if (version > 0) setShown(asked);
    });
    const failed = asked.error.subscribe((error) => {
      if (error !== undefined) setShown(asked);
    });
    return () => {
      clearTimeout(timer);
      stop();
      seen();
      failed();
      asked.close();
    };
  }, [asked]);

  return shown;
}
