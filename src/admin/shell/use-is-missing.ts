import { useRef } from 'preact/hooks';
import { isMissing } from '../api/failure.ts';
import { useResource } from './admin.ts';

/**
 * Whether there is nothing at the address that a screen was opened with, undefined for none; what goes later is missed
 * in its place on the screen.
 */
export function useIsMissing(url: string | undefined): boolean {
  const first = useRef(url);
  const { state } = useResource<unknown>(url === first.current ? url : undefined);
  return state.kind === 'failed' && isMissing(state.error);
}
