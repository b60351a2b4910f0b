import { useEffect } from 'preact/hooks';
import type { ResourceState } from '../api/resources.ts';
import { useResource } from './admin.ts';

/**
 * Like `useResource`, for what no event reports: it is asked for again each time that the screen opens, and that the
 * person comes back to the tab.
 */
export function useFresh<T>(url: string | undefined): { state: ResourceState<T>; refresh(): void } {
  const resource = useResource<T>(url);
  useEffect(() => {
    // One that is loading is asked for already.
    if (resource.state.kind !== 'loading') resource.refresh();
    if (url === undefined) return undefined;
    const look = (): void => void (document.visibilityState === 'visible' && resource.refresh());
    document.addEventListener('visibilitychange', look);
    addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('focus', look);
    };
  }, [url]);
  return resource;
}
