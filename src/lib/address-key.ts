// The key under which a limit per address counts an address.

/** IPv4 unchanged; for IPv6 the first 64 bits, which is what one customer gets. */
export function addressKey(address: string): string {
  // The longest address has 45 characters; a proxy may pass on anything.
  if (address.length > 45) return address.slice(0, 45);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined) {
    const last = tail.split(':').filter(Boolean);
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
