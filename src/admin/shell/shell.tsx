// The frame around every screen of a signed-in user: navigation, search, account, messages.
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { roleOf, type Session } from '../api/session.ts';
import { MANIFEST_URL, type Manifest } from '../config/manifest.ts';
import { FORMS_URL } from '../screens/forms/form-entry.ts';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { isTyping } from '../ui/is-typing.ts';
import { Menu, type MenuEntry } from '../ui/menu.tsx';
import { useIdle } from '../ui/when-idle.ts';
import { useAdmin, useResource } from './admin.ts';
import { listBeginnings, listDestinations } from './destinations.ts';
import { Help } from './help.tsx';
import { hasLetterKeys } from './letter-keys.ts';
import { MessageArea } from './messages.tsx';
import { Navigation } from './navigation.tsx';
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
  // The screen comes first.
  const isIdle = useIdle();
  const waiting = useWaiting(isIdle && session.may('content:read'));
  const unread = useUnread(isIdle && session.may('forms:read'));
  const news = { unread, role: roleOf(session), waiting };
  const groups = listDestinations({ manifest, may: session.may, ...news });
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
        {isIdle && session.may('deploy:trigger') && <DeployPlace path={path} />}
        <HelpMenu onKeys={() => setOverlay('help')} />
        <AccountMenu />
      </header>
      <Navigation groups={groups} path={path} />
      <main id="content" tabIndex={-1}>
        {isIdle && <Refused />}
        {children}
      </main>
      {!isOnline && (
        <div class="connection" role="status" aria-label={t('app.connection')}>
          {t(navigator.onLine ? 'app.unreachable' : 'app.offline')}
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

/** Undefined until it is there; without it, screens say what is wrong. */
function useManifest(): Manifest | undefined {
  const { state } = useResource<Manifest>(MANIFEST_URL);
  return state.kind === 'ready' ? state.data : undefined;
}

/** Undefined until it is known, and without the right to know it. */
function useUnread(mayRead: boolean): number | undefined {
  const { state } = useResource<{ unread: number }>(mayRead ? FORMS_URL : undefined);
  return state.kind === 'ready' ? state.data.unread : undefined;
}

/** How many items of the curation queue wait, as the event stream says it. */
function useWaiting(mayRead: boolean): number {
  const { state } = useResource<{ total: number }>(mayRead ? WAITING_URL : undefined);
  return state.kind === 'ready' ? state.data.total : 0;
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
