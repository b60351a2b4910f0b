// Which addresses are somebody else's on the public internet. Everything else (this machine, its network, a cloud's
// metadata service, what a translator would make of an address) is nobody's business that types a URL into a setting.
import ipaddr from 'ipaddr.js';

/** Of IPv6, global unicast is all that is given out (RFC 4291, section 2.4; IANA's registry): 2000::/3. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** `address` as a resolver or a parsed URL gives it, IPv6 without brackets. What is no address is not public. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address in IPv6 clothes is connected to as what it is.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
