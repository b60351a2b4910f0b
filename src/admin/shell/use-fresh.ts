import { useEffect } from 'preact/hooks';
import type { ResourceState } from '../api/resources.ts';
import { useResource } from './admin.ts';

/** Like `useResource`, for what no event reports: it is asked for again each time that the screen opens. */
export function useFresh<T>(url: string | undefined): { state: ResourceState<T>; refresh(): void } {
  const resource = useResource<T>(url);
  useEffect(() => {
    // One that is loading is asked for already.
    if (resource.state.kind !== 'loading') resource.refresh();
  }, [url]);
  return resource;
}
