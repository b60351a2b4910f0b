// Addresses that are secrets: anyone who has the address of a deploy hook or a webhook's receiver may call it. The mask
// shows the host, and that more follows. Pure.

/** How a mask ends; no real address ends like this. */
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

/** The stored address that a mask stands for; undefined if the mask belongs to another address. */
export function unmaskUrl(masked: string, stored: unknown): string | undefined {
  return typeof stored === 'string' && maskUrl(stored) === masked.trim() ? stored : undefined;
}
