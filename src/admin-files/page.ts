// The one HTML page of the admin, and what it may load.
import type { AdminManifest } from './manifest.ts';
import { isScreenAt } from './screens.ts';

export interface AdminPage {
  manifest: AdminManifest;
  nonce: string;
  /** From the reader's cookie; undefined follows the system. */
  theme: PageTheme | undefined;
  visitor: Visitor;
  /** The address of the page without its query. */
  path: string;
}

/** The visitor has a session; has none; or no user exists yet. */
export type Visitor = 'unset' | 'stranger' | 'signed-in';

export type PageTheme = 'light' | 'dark';

const ASSETS = '/admin/assets/';

/** Everything in it is ours: names of files, a nonce in base64url, and single words. */
export function toPage({ manifest, nonce, theme, visitor, path }: AdminPage): string {
  const shown = toShownPath(visitor, path);
  const screen = manifest.screens.find((one) => isScreenAt(one.path, shown));
  const scripts = [...manifest.preload, ...(screen?.scripts ?? [])];
  const preload = scripts.map((name) => `<link rel="modulepreload" href="${ASSETS}${name}">`);
  return `<!doctype html>
<html lang="en"${theme ? ` data-theme="${theme}"` : ''}>
<head>
<meta charset="utf-8">
<title>Colophon</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<meta name="csp-nonce" nonce="${nonce}">
<meta name="visitor" content="${visitor}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${ASSETS}${manifest.style}">
<script type="module" src="${ASSETS}${manifest.script}"></script>
${preload.join('\n')}
</head>
<body>
<div id="app"></div>
<noscript>Colophon’s admin is a program that runs in the browser. Switch on JavaScript to use it; content is also edited through the API, the command line and git.</noscript>
</body>
</html>
`;
}

/** The path that the admin shows to the visitor instead of the one that was asked for. */
function toShownPath(visitor: Visitor, path: string): string {
  if (visitor === 'unset') return '/admin/setup';
  return visitor === 'stranger' && path !== '/admin/forgotten' ? '/admin/login' : path;
}

/** For the moments in which the files are made. */
export function toWaitingPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Starting · Colophon</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="1">
</head>
<body>
<h1>Getting the admin ready</h1>
<p>This happens once after an installation and takes a few seconds. The page opens by itself.</p>
</body>
</html>
`;
}

/** spec: only our own files, no inline script, and Trusted Types for every sink of markup. */
export function toPolicy(nonce: string, frameOrigin: string | undefined): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data:`,
    `media-src 'self' blob:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `frame-src 'self'${frameOrigin ? ` ${frameOrigin}` : ''}`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    'trusted-types ProseMirrorClipboard colophon',
  ].join('; ');
}

/** Waits for HTML that a user wrote and becomes that page: see `FRAME_POLICY` for what it cannot do. */
export function toFramePage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Preview</title>
<script>addEventListener('message', ({ data }) => { document.open(); document.write(data); document.close(); }, { once: true });</script>
</head>
<body></body>
</html>
`;
}

/** No origin of its own, so nothing of the service; no requests but for our pictures; no forms, windows or frames. */
export const FRAME_POLICY = [
  'sandbox allow-scripts',
  `default-src 'none'`,
  `script-src 'unsafe-inline'`,
  `style-src 'unsafe-inline'`,
  `img-src 'self' data: blob:`,
  `media-src 'self' data: blob:`,
  'font-src data:',
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'self'`,
].join('; ');
