// The frame around every screen of a signed-in user: navigation, search, account, messages.
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { roleOf, type Session } from '../api/session.ts';
import { MANIFEST_URL, type Manifest } from '../config/manifest.ts';
import { FORMS_URL } from '../screens/forms/form-entry.ts';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { isTyping } from '../ui/is-typing.ts';
import { Menu, type MenuEntry } from '../ui/menu.tsx';
import { useAdmin, useResource } from './admin.ts';
import { type Destination, type DestinationGroup, isAt, listBeginnings, listDestinations } from './destinations.ts';
import { Help } from './help.tsx';
import { hasLetterKeys } from './letter-keys.ts';
import { MessageArea } from './messages.tsx';
import { Palette } from './palette.tsx';
import { Refused } from './refused.tsx';
import { THEMES } from './theme.ts';
import { useNavigate } from './use-navigate.ts';
import { useSignOut } from './use-sign-out.ts';

const WAITING_URL = '/api/cms/curation?limit=1';

type Overlay = 'palette' | 'help';

export function Shell({ children, isOnline }: { children: ComponentChildren; isOnline: boolean }) {
  const { messages, session } = useAdmin();
  const [overlay, setOverlay] = useState<Overlay>();
  const { path } = useLocation();
  useShortcuts(setOverlay, session);
  const manifest = useManifest();
  const waiting = useWaiting(session.may('content:read'));
  const news = { unread: useUnread(), role: roleOf(session), waiting };
  const groups = listDestinations({ manifest, may: session.may, ...news });
  const nav = useRef<HTMLElement>(null);
  useLayoutEffect(() => showCurrent(nav.current), [path, manifest]);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {t('app.skip')}
      </a>
      <header class="bar">
        <a class="brand" href="/admin" aria-label={t('app.name')}>
          <span aria-hidden="true">❧</span> <span class="brand-name">{t('app.name')}</span>
        </a>
        <button
          type="button"
          class="search-button"
          aria-label={t('app.search')}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => setOverlay('palette')}
        >
          <Icon name="search" />
          <span aria-hidden="true">{t('app.search')}</span>
        </button>
        {session.may('deploy:trigger') && <DeployPlace path={path} />}
        <HelpMenu onKeys={() => setOverlay('help')} />
        <AccountMenu />
      </header>
      <nav class="nav" ref={nav} aria-label={t('app.main')}>
        {groups.map((group) => (
          <NavGroup key={group.label} {...group} path={path} />
        ))}
      </nav>
      <main id="content" tabIndex={-1}>
        <Refused />
        {children}
      </main>
      {!isOnline && (
        <div class="connection" role="status" aria-label={t('app.connection')}>
          {t('app.offline')}
        </div>
      )}
      <MessageArea messages={messages} />
      {overlay === 'palette' && (
        <Palette
          destinations={groups.flatMap((one) => one.destinations)}
          beginnings={listBeginnings({ manifest, may: session.may })}
          onKeys={() => setOverlay('help')}
          onClose={() => setOverlay(undefined)}
        />
      )}
      {overlay === 'help' && <Help onClose={() => setOverlay(undefined)} />}
    </div>
  );
}

/** The navigation scrolls by itself, on a phone sideways: where one is has to be in sight. */
function showCurrent(nav: HTMLElement | null): void {
  const link = nav?.querySelector('[aria-current="page"]')?.getBoundingClientRect();
  const box = nav?.getBoundingClientRect();
  if (!link || !box) return;
  const isBeside = link.left < box.left || link.right > box.right;
  const isBeyond = link.top < box.top || link.bottom > box.bottom;
  nav?.scrollBy({
    left: isBeside ? (link.left + link.right - box.left - box.right) / 2 : 0,
    top: isBeyond ? (link.top + link.bottom - box.top - box.bottom) / 2 : 0,
  });
}

/** Undefined until it is there; without it, screens say what is wrong. */
function useManifest(): Manifest | undefined {
  const { state } = useResource<Manifest>(MANIFEST_URL);
  return state.kind === 'ready' ? state.data : undefined;
}

/** Undefined until it is known, and without the right to know it. */
function useUnread(): number | undefined {
  const { session } = useAdmin();
  const { state } = useResource<{ unread: number }>(session.may('forms:read') ? FORMS_URL : undefined);
  return state.kind === 'ready' ? state.data.unread : undefined;
}

/** How many items of the curation queue wait, as the event stream says it. */
function useWaiting(mayRead: boolean): number {
  const { state } = useResource<{ total: number }>(mayRead ? WAITING_URL : undefined);
  return state.kind === 'ready' ? state.data.total : 0;
}

function NavGroup({ label, destinations, path }: DestinationGroup & { path: string }) {
  const id = useId();
  return (
    <div class="nav-group">
      {label && (
        <span class="nav-label" id={id}>
          {label}
        </span>
      )}
      <ul aria-labelledby={label ? id : undefined}>
        {destinations.map((one) => (
          <NavItem key={one.path} {...one} isHere={isAt(path, one.path)} />
        ))}
      </ul>
    </div>
  );
}

function NavItem({ path, label, icon, badge, isHere }: Destination & { isHere: boolean }) {
  return (
    <li>
      <a href={path} aria-current={isHere ? 'page' : undefined}>
        <Icon name={icon} />
        <bdi>{label}</bdi>
        {badge && (
          <span class="badge">
            {' '}
            {badge.count.toLocaleString('en')} <span class="hidden">{badge.word}</span>
          </span>
        )}
      </a>
    </li>
  );
}

/** It is not worth a wait: the shell is there without it. */
function DeployPlace({ path }: { path: string }) {
  const [Bar, setBar] = useState<ComponentType<{ path: string }>>();
  useEffect(() => {
    import('../publishing/deploy-bar.tsx').then(
      ({ default: loaded }) => setBar(() => loaded),
      // After an upgrade, or offline; the screen of deploys says what is wrong.
      () => undefined,
    );
  }, []);
  return Bar ? <Bar path={path} /> : null;
}

function HelpMenu({ onKeys }: { onKeys(): void }) {
  const navigate = useNavigate();
  return (
    <Menu
      label={t('app.help')}
      entries={[
        { kind: 'item', label: t('help.title'), onSelect: () => navigate('/admin/help') },
        { kind: 'item', label: t('help.keys'), onSelect: onKeys },
      ]}
    >
      <Icon name="help" />
    </Menu>
  );
}

function AccountMenu() {
  const { session, theme, site } = useAdmin();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const state = session.state.value;
  const profile = state.kind === 'signed-in' ? state.profile : undefined;
  const sites = profile?.sites ?? [];
  const entries: MenuEntry[] = [
    ...(sites.length > 1
      ? [
          {
            kind: 'group' as const,
            label: t('account.sites'),
            entries: sites.map(({ id }) => ({
              kind: 'radio' as const,
              label: id,
              isChosen: id === (site ?? sites[0]?.id),
              // Everything on the page is about one site, so the page is loaded anew.
              onSelect: () => location.assign(`/admin?site=${encodeURIComponent(id)}`),
            })),
          },
        ]
      : []),
    {
      kind: 'group',
      label: t('theme.group'),
      entries: THEMES.map((choice) => ({
        kind: 'radio',
        label: t(`theme.${choice}`),
        isChosen: theme.choice.value === choice,
        onSelect: () => theme.choose(choice),
      })),
    },
    {
      kind: 'group',
      label: profile?.user.name ?? '',
      entries: [
        { kind: 'item', label: t('account.title'), onSelect: () => navigate('/admin/account') },
        {
          kind: 'item',
          label: t('account.signOut'),
          onSelect: signOut,
        },
      ],
    },
  ];
  return (
    <Menu label={t('app.account')} entries={entries}>
      <Icon name="account" />
    </Menu>
  );
}

function isHelp({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  return key === '?' && !ctrlKey && !metaKey && !isTyping(target);
}

function useShortcuts(open: (overlay: Overlay) => void, session: Session): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // In rich text Ctrl+K makes a link.
      if (event.defaultPrevented) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') open('palette');
      else if (isHelp(event) && hasLetterKeys(session.preferences())) open('help');
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [open]);
}
