// A redirect as a page, for hosts that know no rules: people and search engines follow it, and it works below any base
// path. It has no words, so that it fits a site in any language. Pure.
import { html } from '../../lib/text/markup.ts';

/** `from` is a path with a slash at both ends; `to` is an address: a path, percent-encoded, or one on another host. */
export function toRedirectPage(from: string, to: string, { isPreview }: { isPreview: boolean }): string {
  const target = to.startsWith('/') ? toRelative(from, to) : to;
  const robots = isPreview
    ? html`<meta name="robots" content="noindex">
`
    : html``;
  const page = html`<!doctype html>
<meta charset="utf-8">
<title>${to}</title>
${robots}<meta http-equiv="refresh" content="0; url=${target}">
<link rel="canonical" href="${target}">
<p><a href="${target}">${to}</a></p>
`;
  return page.markup;
}

/** GitHub Pages serves a project below `/<repository>/`, which a path from the root would leave. */
function toRelative(from: string, to: string): string {
  const depth = from.split('/').filter(Boolean).length;
  return `${'../'.repeat(depth) || './'}${to.slice(1)}`;
}
