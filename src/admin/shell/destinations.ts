// The screens that the navigation and the palette lead to. Pure.
import type { CollectionInfo, Manifest } from '../config/manifest.ts';
import { t } from '../text/translate.ts';
import { ICONS, type IconName } from '../ui/icons.ts';

export interface Destination {
  path: string;
  label: string;
  icon: IconName;
  /** How many things wait there, and what they are called after the number; absent for none. */
  badge?: { count: number; word: string };
}

export interface DestinationGroup {
  /** Undefined for the first ones. */
  label: string | undefined;
  destinations: readonly Destination[];
}

export interface DestinationParts {
  /** Undefined until it is there. */
  manifest: Pick<Manifest, 'collections'> | undefined;
  may(permission: string): boolean;
  /** Submissions that nobody has opened yet. */
  unread?: number | undefined;
  /** The role on the site; null without one. */
  role?: string | null | undefined;
  /** Items of the curation queue that wait. */
  waiting?: number | undefined;
}

export function listDestinations({ manifest, may, ...news }: DestinationParts): DestinationGroup[] {
  const { unread = 0, role, waiting = 0 } = news;
  const mayRead = may('content:read');
  const groups: DestinationGroup[] = [
    { label: undefined, destinations: [{ path: '/admin', label: t('nav.dashboard'), icon: 'dashboard' }] },
    ...(mayRead && manifest ? toGroups(manifest.collections) : []),
    {
      label: t('nav.library'),
      destinations: [
        ...(may('media:read') ? [{ path: '/admin/media', label: t('media.title'), icon: 'image' as const }] : []),
        ...(may('forms:read') ? [toForms(unread)] : []),
        ...(mayRead ? [{ path: '/admin/calendar', label: t('calendar.title'), icon: 'calendar' as const }] : []),
        ...(mayRead ? [{ path: '/admin/trash', label: t('trash.title'), icon: 'trash' as const }] : []),
      ],
    },
    { label: t('nav.ai'), destinations: listAi(may, role, waiting) },
    {
      label: t('nav.publishing'),
      destinations: may('deploy:read') ? [{ path: '/admin/deploy', label: t('deploy.title'), icon: 'rocket' }] : [],
    },
    {
      label: t('nav.site'),
      destinations: [
        ...(mayRead ? [{ path: '/admin/activity', label: t('activity.title'), icon: 'history' as const }] : []),
        ...(may('sites:read') ? [{ path: '/admin/backups', label: t('backups.title'), icon: 'archive' as const }] : []),
        ...(may('org:settings:read')
          ? [{ path: '/admin/settings', label: t('settings.title'), icon: 'settings' as const }]
          : []),
        ...(may('team:manage') ? [{ path: '/admin/team', label: t('team.title'), icon: 'user' as const }] : []),
      ],
    },
  ];
  return groups.filter(({ destinations }) => destinations.length > 0);
}

/** The screens of collections that a person may add a document to; one of a single document is opened instead. */
export function listBeginnings({ manifest, may }: DestinationParts): Destination[] {
  if (!may('content:draft') || !manifest) return [];
  const many = manifest.collections.filter(({ kind }) => kind !== 'global');
  return toGroups(many).flatMap(({ destinations }) => destinations);
}

function toForms(unread: number): Destination {
  const forms = { path: '/admin/forms', label: t('forms.title'), icon: 'mail' as const };
  return unread > 0 ? { ...forms, badge: { count: unread, word: t('forms.newMark') } } : forms;
}

function listAi(may: DestinationParts['may'], role: DestinationParts['role'], waiting: number): Destination[] {
  const curation = { path: '/admin/curation', label: t('curation.title'), icon: 'inbox' as const };
  const badge = { count: waiting, word: t('curation.waiting') };
  return [
    ...(may('content:read')
      ? [
          waiting > 0 ? { ...curation, badge } : curation,
          { path: '/admin/chat', label: t('chat.title'), icon: 'message' as const },
        ]
      : []),
    ...(may('org:settings:read') ? [{ path: '/admin/agents', label: t('agents.title'), icon: 'bot' as const }] : []),
    ...(mayReadVoice(role) ? [{ path: '/admin/voice', label: t('voice.title'), icon: 'megaphone' as const }] : []),
  ];
}

/** The brand voice goes by roles and not by permissions. */
export function mayReadVoice(role: DestinationParts['role']): boolean {
  return role === 'admin' || role === 'editor';
}

/** Collections without a group come first. */
function toGroups(collections: readonly CollectionInfo[]): DestinationGroup[] {
  const groups = new Map<string, Destination[]>([[t('nav.content'), []]]);
  for (const { name, label, ui } of collections) {
    const group = ui?.group ?? t('nav.content');
    const destination: Destination = {
      path: `/admin/content/${encodeURIComponent(name)}`,
      label,
      icon: ui?.icon !== undefined && Object.hasOwn(ICONS, ui.icon) ? (ui.icon as IconName) : 'posts',
    };
    groups.set(group, [...(groups.get(group) ?? []), destination]);
  }
  return [...groups].map(([label, destinations]) => ({ label, destinations }));
}

/** Whether a path is that of the screen, or of something on it. */
export function isAt(path: string, destination: string): boolean {
  return path === destination || (destination !== '/admin' && path.startsWith(`${destination}/`));
}
