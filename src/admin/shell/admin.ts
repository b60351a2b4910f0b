// What every screen may use, made once in main.tsx.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Client } from '../api/client.ts';
import type { Listeners } from '../api/listeners.ts';
import type { PostForEvents } from '../api/posted-events.ts';
import type { Resource, ResourceState, Resources } from '../api/resources.ts';
import type { ServiceEvent } from '../api/service-event.ts';
import type { Session } from '../api/session.ts';
import type { Messages } from './messages.tsx';
import type { Theme } from './theme.ts';

export interface Admin {
  request: Client;
  /** For answers that come piece by piece. */
  postForEvents: PostForEvents;
  resources: Resources;
  session: Session;
  messages: Messages;
  /** What happens in the service, as its event stream says it. */
  live: Pick<Listeners<ServiceEvent>, 'listen'>;
  theme: Theme;
  now(): Date;
  /** When the page was opened. */
  startedAt: Date;
  /** The site that the page shows; undefined for the default one. */
  site: string | undefined;
}

export const AdminContext = createContext<Admin | undefined>(undefined);

export function useAdmin(): Admin {
  const admin = useContext(AdminContext);
  if (!admin) throw new Error('there is no admin around this component');
  return admin;
}

const LOADING: ResourceState<never> = { kind: 'loading' };

/**
 * What the service has at an address; undefined asks for nothing yet. A component that reads `state.value` is drawn
 * again when that changes.
 */
export function useResource<T>(url: string | undefined): { state: ResourceState<T>; refresh(): void } {
  const { resources } = useAdmin();
  const resource: Resource<T> | undefined = url === undefined ? undefined : resources.get<T>(url);
  return { state: resource ? resource.state.value : LOADING, refresh: () => void resource?.refresh() };
}
