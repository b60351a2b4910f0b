// How many sockets the service admits, in total and from one address. Decides and counts only; server.ts closes what it
// refuses, before it reads a byte.
import { addressKey } from '../../lib/address-key.ts';

export interface ConnectionLimits {
  all: number;
  perAddress: number;
}

/** The rest is for files, threads, git processes and outgoing requests. */
const SOCKET_SHARE = 0.8;
const PER_ADDRESS = 256;
/** If one address may hold this share of all sockets, ten addresses hold everything. */
const ADDRESS_SHARE = 0.1;

/** The limits of a process that may open this many descriptors. */
export function toConnectionLimits(descriptors: number): ConnectionLimits {
  const all = Math.max(1, Math.floor(descriptors * SOCKET_SHARE));
  return { all, perAddress: Math.max(1, Math.min(PER_ADDRESS, Math.floor(all * ADDRESS_SHARE))) };
}

/** Networks from which no stranger's packets come (RFC 1918, RFC 3927, RFC 4193, RFC 4291, RFC 6598). */
const NEAR =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i;

export interface AddressCount {
  /** Returns false if the address has as many sockets as it may have. */
  enter(address: string): boolean;
  leave(address: string): void;
}

/**
 * `behindProxy`: all clients come through proxies, so the sockets have the proxies' addresses. Proxies in the
 * operator's own network are not counted, or all clients behind one would share its limit; a proxy with a public
 * address is counted, because it cannot be distinguished from a stranger who goes around it.
 */
export function createAddressCount(perAddress: number, behindProxy: boolean): AddressCount {
  const counts = new Map<string, number>();
  const isFree = (address: string): boolean => behindProxy && NEAR.test(address.replace(/^::ffff:/i, ''));

  return {
    enter(address) {
      if (isFree(address)) return true;
      const key = addressKey(address);
      const count = counts.get(key) ?? 0;
      if (count >= perAddress) return false;
      counts.set(key, count + 1);
      return true;
    },
    leave(address) {
      if (isFree(address)) return;
      const key = addressKey(address);
      const count = (counts.get(key) ?? 0) - 1;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}
