// Names of what a browser keeps for one person and one site: who signs in next does not see it.
import type { Session } from '../api/session.ts';
import { useAdmin } from './admin.ts';

export interface KeyParts {
  session: Pick<Session, 'state'>;
  /** Undefined for the default one. */
  site: string | undefined;
}

export function ownKey(name: string, { session, site }: KeyParts): string {
  const state = session.state.value;
  return `colophon-${name}:${state.kind === 'signed-in' ? state.profile.user.id : ''}:${site ?? ''}`;
}

export function useOwnKey(name: string): string {
  return ownKey(name, useAdmin());
}
