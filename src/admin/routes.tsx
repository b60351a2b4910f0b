// Every screen of the admin, by its path: read this first.
import type { ComponentType } from 'preact';
import lazy from 'preact-iso/lazy';
import { ScreenMissing } from './shell/screen-missing.tsx';

export interface ScreenRoute {
  path: string;
  Screen: ComponentType;
  /** In front of the door, or in the shell of a signed-in user. */
  place: 'door' | 'shell';
}

function screen(load: () => Promise<{ default: ComponentType }>): ComponentType {
  return lazy(() => load().catch(() => ({ default: ScreenMissing })));
}

export const ROUTES: readonly ScreenRoute[] = [
  { path: '/admin/setup', place: 'door', Screen: screen(() => import('./screens/setup/setup.tsx')) },
  { path: '/admin/login', place: 'door', Screen: screen(() => import('./screens/login/login.tsx')) },
  { path: '/admin/forgotten', place: 'door', Screen: screen(() => import('./screens/forgotten/forgotten.tsx')) },
  { path: '/admin', place: 'shell', Screen: screen(() => import('./screens/dashboard/dashboard.tsx')) },
  { path: '/admin/media/:folder*', place: 'shell', Screen: screen(() => import('./screens/media/media.tsx')) },
  { path: '/admin/forms/:form?/:id?', place: 'shell', Screen: screen(() => import('./screens/forms/forms.tsx')) },
  { path: '/admin/calendar', place: 'shell', Screen: screen(() => import('./screens/calendar/calendar.tsx')) },
  { path: '/admin/search', place: 'shell', Screen: screen(() => import('./screens/search/search.tsx')) },
  { path: '/admin/trash', place: 'shell', Screen: screen(() => import('./screens/trash/trash.tsx')) },
  { path: '/admin/deploy/docker', place: 'shell', Screen: screen(() => import('./screens/wizard/wizard.tsx')) },
  { path: '/admin/deploy/:id?', place: 'shell', Screen: screen(() => import('./screens/deploy/deploy.tsx')) },
  { path: '/admin/account', place: 'shell', Screen: screen(() => import('./screens/account/account.tsx')) },
  {
    path: '/admin/settings/:section?',
    place: 'shell',
    Screen: screen(() => import('./screens/settings/settings.tsx')),
  },
  { path: '/admin/team', place: 'shell', Screen: screen(() => import('./screens/team/team.tsx')) },
  { path: '/admin/help/:page?', place: 'shell', Screen: screen(() => import('./screens/help/help.tsx')) },
  { path: '/admin/curation/:id?', place: 'shell', Screen: screen(() => import('./screens/curation/curation.tsx')) },
  { path: '/admin/agents/:id?', place: 'shell', Screen: screen(() => import('./screens/agents/agents.tsx')) },
  { path: '/admin/voice', place: 'shell', Screen: screen(() => import('./screens/voice/voice.tsx')) },
  { path: '/admin/chat', place: 'shell', Screen: screen(() => import('./screens/chat/chat.tsx')) },
  { path: '/admin/content/:collection', place: 'shell', Screen: screen(() => import('./screens/list/list.tsx')) },
  {
    path: '/admin/content/:collection/:slug',
    place: 'shell',
    Screen: screen(() => import('./screens/document/document.tsx')),
  },
  {
    path: '/admin/content/:collection/:slug/history/:commit?',
    place: 'shell',
    Screen: screen(() => import('./screens/history/history.tsx')),
  },
  { path: '/admin/activity', place: 'shell', Screen: screen(() => import('./screens/activity/activity.tsx')) },
  { path: '/admin/backups', place: 'shell', Screen: screen(() => import('./screens/backups/backups.tsx')) },
];
