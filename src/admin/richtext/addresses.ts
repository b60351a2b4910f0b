// Addresses of links and images: which may be followed or shown in the editor. Pure.

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** True for an address that runs nothing when it is followed. */
export function isHarmless(address: string): boolean {
  // Browsers leave out control characters before they read the scheme.
  const read = address.replace(/[\0-\x20]/g, '');
  const scheme = SCHEME.exec(read)?.[0].toLowerCase();
  return scheme === undefined || /^(?:https?|mailto|tel):$/.test(scheme);
}

/** True for an image that this service serves, or that is in the page already. */
export function isOurs(address: string): boolean {
  return /^(?:\/uploads\/|blob:)/.test(address);
}
