// The pages that mailed links lead to while there are no admin pages: a few fields at most, and one button. The token
// stays in the browser until the button is pressed, so that programs that scan mail do not use the link up.
import { hash } from 'node:crypto';
import { html } from '../../lib/text/markup.ts';
import type { LinkKind } from './link.ts';

interface PageTexts {
  title: string;
  button: string;
  done: string;
  /** The path that the token is sent to. */
  action: string;
}

const TEXTS: Record<LinkKind, PageTexts> = {
  reset: {
    title: 'Set a new password',
    button: 'Set password',
    done: 'Your password is set. Sign in with',
    action: '/api/auth/reset',
  },
  invite: {
    title: 'Accept the invitation',
    button: 'Create account',
    done: 'Your account is ready. Sign in with',
    action: '/api/auth/reset',
  },
  email: {
    title: 'Use this address',
    button: 'Use this address',
    done: 'From now on you sign in with',
    action: '/api/auth/email',
  },
};

const STYLE = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 4rem auto; padding: 0 1rem }
h1 { line-height: 1.2 }
label { display: block; margin: 1rem 0 .25rem }
input { font: inherit; box-sizing: border-box; width: 100%; padding: .5rem; border: 1px solid GrayText; border-radius: 4px }
button { font: inherit; margin-top: 1.5rem; padding: .5rem 1rem; border: 0; border-radius: 4px; color: #fff; background: #1d4ed8 }
[role=alert]:not(:empty) { margin-top: 1rem; color: light-dark(#b00020, #ff8a8a) }
`;

/** Removes the token from the address bar at once: it would stay in the history of a borrowed browser. */
const SCRIPT = `
{
  const form = document.querySelector('form');
  const alert = document.querySelector('[role=alert]');
  const status = document.querySelector('[role=status]');
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  history.replaceState(null, '', location.pathname);
  if (!token) { form.hidden = true; alert.textContent = 'This link is incomplete. Open it from the mail again.'; }
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    alert.textContent = '';
    const button = form.querySelector('button');
    button.disabled = true;
    const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
    try {
      const answer = await fetch(form.dataset.action, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token, ...fields }),
      });
      const body = await answer.json();
      if (!answer.ok) throw new Error(body.error);
      form.hidden = true;
      status.textContent = form.dataset.done + ' ' + body.email + '.';
    } catch (error) {
      alert.textContent = error.message;
      button.disabled = false;
    }
  });
}
`;

function hashOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};

export function toLinkPage(kind: LinkKind): string {
  const { title, button, done, action } = TEXTS[kind];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Colophon</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<form data-action="${action}" data-done="${done}">
${kind === 'invite' && html`<label for="name">Name</label>\n<input id="name" name="name" autocomplete="name">\n`}${
  kind !== 'email' &&
  html`<label for="password">New password</label>\n<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8">\n`
}<button>${button}</button>
</form>
<p role="alert"></p>
<p role="status"></p>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
<script>${{ markup: SCRIPT }}</script>
</body>
</html>
`.markup;
}
