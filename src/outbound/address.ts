// Which addresses are on the public internet. All others (this machine, its network, a cloud's metadata service, what a
// translator would make of an address) are off limits for URLs that people type into settings.
import ipaddr from 'ipaddr.js';

/** For IPv6, only global unicast has been given out (RFC 4291, section 2.4; IANA's registry): 2000::/3. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Where Azure's machines find the agent of their host: public by its number (Microsoft Learn, "What is IP address
 * 168.63.129.16?").
 */
const OF_THE_HOST = new Set(['168.63.129.16']);

/**
 * `address` is what a resolver or a parsed URL gives, IPv6 without brackets. Text that is not an address is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // A connection to an IPv4 address in IPv6 form goes to the IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || OF_THE_HOST.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
