// Who is signed in, and what they may do.
import { type Signal, signal } from '@preact/signals';
import type { Answer } from './answer.ts';
import { ApiError, type Client } from './client.ts';

export type Profile = Answer<'/api/admin/profile'>;

export type SessionState =
  | { kind: 'loading' }
  | { kind: 'stranger' }
  /** Nobody has an account yet. */
  | { kind: 'unset' }
  | { kind: 'signed-in'; profile: Profile }
  | { kind: 'failed'; error: unknown };

export interface Session {
  readonly state: Signal<SessionState>;
  /** Resolves in any case. */
  load(): Promise<void>;
  may(permission: string): boolean;
  /** What the person's pages remember on each device; empty for a stranger. */
  preferences(): Record<string, unknown>;
  isSignedIn(): boolean;
  signOut(): Promise<void>;
}

/** Rights that a wider one contains. */
const CONTAINED_IN: Readonly<Record<string, string>> = {
  'content:draft': 'content:write',
  'content:read-published': 'content:read',
};

/** `visitor` is who the page was made for: the first `load` asks no more than it needs then. */
export function createSession(request: Client, visitor?: string): Session {
  let known = visitor;
  const state = signal<SessionState>({ kind: 'loading' });

  async function read(): Promise<SessionState> {
    const expected = known;
    known = undefined;
    if (expected === 'stranger' || expected === 'unset') return { kind: expected };
    try {
      // A stranger's question is not refused there, so no console shows an error for a visit. It also renews a session.
      const me = request<{ user: object | null }>('GET', '/api/auth/me');
      const readProfile = () => request<Profile>('GET', '/api/admin/profile');
      if (expected === 'signed-in') {
        const [{ data }] = await Promise.all([readProfile(), me]);
        return { kind: 'signed-in', profile: data };
      }
      if ((await me).data.user) return { kind: 'signed-in', profile: (await readProfile()).data };
      const { data } = await request<{ hasUsers: boolean }>('GET', '/api/auth/setup');
      return { kind: data.hasUsers ? 'stranger' : 'unset' };
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return { kind: 'stranger' };
      return { kind: 'failed', error };
    }
  }

  return {
    state,
    load: async () => void (state.value = await read()),
    may(permission) {
      const held: readonly string[] = state.value.kind === 'signed-in' ? state.value.profile.permissions : [];
      const wider = CONTAINED_IN[permission];
      return held.includes(permission) || (wider !== undefined && held.includes(wider));
    },
    preferences: () => (state.value.kind === 'signed-in' ? state.value.profile.preferences : {}),
    isSignedIn: () => state.value.kind === 'signed-in',
    async signOut() {
      await request('POST', '/api/auth/logout');
      state.value = { kind: 'stranger' };
    },
  };
}

/** Whether the person may make new services: that is the whole service's, not a site's. */
export function mayProvision({ state, may }: Pick<Session, 'state' | 'may'>): boolean {
  return may('sites:write') && state.value.kind === 'signed-in' && state.value.profile.allSites;
}

/** The role on the site; undefined for a stranger. */
export function roleOf({ state }: Pick<Session, 'state'>): string | null | undefined {
  return state.value.kind === 'signed-in' ? state.value.profile.user.role : undefined;
}
