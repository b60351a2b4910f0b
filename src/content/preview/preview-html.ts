// The pages that a browser gets for a preview in the site's theme, and what they may do.
import { html } from '../../lib/text/markup.ts';

/**
 * No origin of its own, so nothing of the service: a theme and a text are strangers to the admin. They load what the
 * site itself would load, and send no form.
 */
export const PREVIEW_POLICY = [
  'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
  `default-src 'none'`,
  `script-src 'self' 'unsafe-inline'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data: blob: https:`,
  `media-src 'self' data: blob: https:`,
  `font-src 'self' data:`,
  `connect-src 'self'`,
  'frame-src https:',
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'self'`,
].join('; ');

/** `script` takes over changes. It is ours, and so has no `</script>` in it. */
export function withLiveScript(page: string, script: string): string {
  const at = page.lastIndexOf('</body>');
  const element = `<script>${script}</script>\n`;
  return at < 0 ? page + element : page.slice(0, at) + element + page.slice(at);
}

export function toProblemPage(problem: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>No preview</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<style>body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 40rem; padding: 0 1rem; overflow-wrap: anywhere }</style>
</head>
<body>
<h1>No preview</h1>
<p>${problem}</p>
</body>
</html>
`.markup;
}
