// Which names and addresses mean this machine and no other.

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Returns true for a `Host` that can reach only this machine. A name that merely resolves to loopback does not count.
 */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Returns true for an address to listen on that other machines cannot reach. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || isLoopbackHost(address);
}
