// Starts the admin in the browser: makes its parts once, and shows the screen of the address.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { type ClientParts, createClient, createSend, untilBack, withSite } from './api/client.ts';
import { createConnection } from './api/connection.ts';
import { createListeners } from './api/listeners.ts';
import { BROKEN, createOneStream, type OneStream } from './api/one-stream.ts';
import { createPostForEvents } from './api/posted-events.ts';
import { isGoneBy, isRestore, refreshFor } from './api/refresh-for.ts';
import { createResources, type Resources } from './api/resources.ts';
import type { ServiceEvent } from './api/service-event.ts';
import { createSession, type Session } from './api/session.ts';
import { STATUS_URL } from './api/status.ts';
import { App } from './app.tsx';
import { MANIFEST_URL } from './config/manifest.ts';
import { type Admin, AdminContext } from './shell/admin.ts';
import { createMessages } from './shell/messages.tsx';
import { toFontSize } from './shell/scale.ts';
import { createTheme } from './shell/theme.ts';
import { createSignInAgain } from './sign-in/sign-in-again.tsx';
import { closeTexts } from './ui/close-texts.ts';
import { keepFocus } from './ui/keep-focus.ts';
import { ignoreSecondClicks } from './ui/second-click.ts';

const SITE = 'colophon-site';
/** Links do not name the site again, so the tab remembers it. */
const named = new URLSearchParams(location.search).get('site');
if (named !== null) sessionStorage.setItem(SITE, named);
const site = named ?? sessionStorage.getItem(SITE) ?? undefined;
/** Who the service made the page for: see `admin-files/page.ts`. */
const visitor = document.querySelector<HTMLMetaElement>('meta[name="visitor"]')?.content;
const isOnline = signal(navigator.onLine);
const again = createSignInAgain();
const messages = createMessages();
const clientParts: ClientParts = {
  fetch: (input, init) => fetch(input, init),
  site: () => site,
  signInAgain: again.ask,
  isSignedIn: (): boolean => session.isSignedIn(),
  onConnection: (isThere) => connection.report(isThere),
  onRefused: () => resources.refresh(STATUS_URL),
  isOff: () => !navigator.onLine,
  onLost: () => void untilBack().then(() => isOnline.value && greet()),
};
const request = createClient(clientParts);
/** A service that does not answer in this time is as good as gone. */
const LOOK_MS = 5000;
const connection = createConnection({
  isThere: isOnline,
  async look() {
    try {
      // The question of a visit: anyone may ask it. A proxy, or a service that starts, answers 5xx.
      const { status } = await fetch('/api/auth/me', { signal: AbortSignal.timeout(LOOK_MS), cache: 'no-store' });
      return status < 500;
    } catch (error) {
      if (error instanceof TypeError || error instanceof DOMException) return false;
      throw error;
    }
  },
  // The stream may need longer; what was missed is asked for at once.
  onBack: greet,
});
const session: Session = createSession(request, visitor);
const resources: Resources = createResources(request);
const live = createListeners<ServiceEvent>();
const admin: Admin = {
  ...{
    request,
    postForEvents: createPostForEvents(createSend(clientParts)),
    resources,
    session,
    messages,
    live,
    theme: createTheme(document),
    site,
  },
  now: () => new Date(),
  startedAt: new Date(),
};

/** The first screen comes before the stream, whose greeting asks for everything again that may have changed since. */
const LISTEN_AFTER_MS = 1000;
const firstScreen = new Promise<void>((resume) => setTimeout(resume, LISTEN_AFTER_MS));
let events: OneStream | undefined;

/** Anything may have changed. */
function greet(): void {
  resources.refresh('/');
  live.pass({ event: 'hello', data: undefined });
}

function followEvents(): void {
  events?.close();
  events = undefined;
  if (!session.may('content:read')) return;
  events = createOneStream({
    url: withSite('/api/admin/events', site),
    locks: navigator.locks,
    openChannel: (name) => new BroadcastChannel(name),
    openSource: (url) => new EventSource(url),
    after: firstScreen,
  });
  events.listen((event) => {
    if (isRestore(event)) greet();
    if (event.event === BROKEN) connection.suspect();
    if (event.event === 'hello') connection.confirm();
    const isGone = isGoneBy(event.event, event.data);
    for (const prefix of refreshFor(event.event)) resources.refresh(prefix, isGone);
    live.pass(event);
  });
}

session.state.subscribe((state) => {
  // The next user of this page may be another one, who must not see what this one saw.
  if (state.kind === 'stranger') resources.clear();
  document.documentElement.style.fontSize = state.kind === 'signed-in' ? toFontSize(state.profile.user.zoom) : '';
  followEvents();
});
addEventListener('pagehide', () => void messages.settle(true));
// A file that misses its place would open instead of the page.
addEventListener('dragover', (event) => {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
  if ((event.target as HTMLElement).isContentEditable) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
});
addEventListener('offline', () => connection.report(false));
addEventListener('online', () => connection.report(true));

closeTexts();
render(
  <AdminContext.Provider value={admin}>
    <App again={again} isOnline={isOnline} />
  </AdminContext.Provider>,
  document.getElementById('app')!,
);
keepFocus();
ignoreSecondClicks();
// Every screen of the shell needs it, so it is asked for together with the profile.
if (visitor === 'signed-in') resources.get(MANIFEST_URL);
void session.load();
