// Addresses that are secrets: whoever has that of a deploy hook or a webhook's receiver may call it. Shown is whose it is,
// and that there is more. Pure.

/** What a mask ends with; no address that somebody means does. */
const MORE = '/…';

/** `https://hooks.example/…`; an address without a path is shown as it is. */
export function maskUrl(text: string): string {
  const url = URL.parse(text);
  if (!url) return text;
  const isPlain = url.pathname === '/' && url.search === '' && url.hash === '';
  return isPlain ? text : `${url.origin}${MORE}`;
}

export function isMaskedUrl(value: unknown): value is string {
  return typeof value === 'string' && value.trim().endsWith(MORE);
}

/** The stored address that a mask stands for; undefined for another one's. */
export function unmaskUrl(masked: string, stored: unknown): string | undefined {
  return typeof stored === 'string' && maskUrl(stored) === masked.trim() ? stored : undefined;
}
