// A network namespace that reaches public addresses and nothing around this machine: pasta carries its packets without
// any right, and routes that the command cannot change leave the other addresses out. Pure.

export interface NetworkPrograms {
  pasta: string;
  /** The program of iproute2. */
  ip: string;
}

const DEVICE = 'build0';
// 198.18.0.0/15 is set aside for tests of networks (RFC 2544), so it is nobody's address.
const OWN = '198.18.0.2';
const GATEWAY = '198.18.0.1';
/** Port 53 of it is the machine's resolver, and no other port of it is anything. */
export const NAME_SERVER = '198.18.0.53';

/** IANA's special-purpose addresses, without those that are globally reachable. */
const NOT_PUBLIC = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
];

/** IPv4 alone: pasta drops every packet of IPv6. `own` are the addresses of this machine. */
export function toRoutes(own: readonly string[]): string {
  const unreachable = [...NOT_PUBLIC, ...new Set(own.map((address) => `${address}/32`))];
  return [
    'link set lo up',
    `link set ${DEVICE} up`,
    `address replace ${OWN}/32 dev ${DEVICE}`,
    'route flush table main',
    `route add default via ${GATEWAY} dev ${DEVICE} onlink`,
    ...unreachable.map((range) => `route replace unreachable ${range}`),
    `route replace ${NAME_SERVER}/32 via ${GATEWAY} dev ${DEVICE} onlink`,
  ].join('\n');
}

/** What runs a command in such a namespace: the command follows. */
export function inPublicNetwork({ pasta, ip }: NetworkPrograms, unshare: string, own: readonly string[]): string[] {
  return [
    ...[pasta, '--quiet', '--foreground', '--ipv4-only', '--ns-ifname', DEVICE],
    ...['--address', OWN, '--netmask', '32', '--gateway', GATEWAY, '--dns-forward', NAME_SERVER],
    // No port of either side is the other's, and the gateway is not this machine.
    ...['--no-map-gw', '--tcp-ports', 'none', '--udp-ports', 'none', '--tcp-ns', 'none', '--udp-ns', 'none'],
    // The command gets a pid namespace from pasta, but not the /proc of it.
    ...['--', unshare, '--mount-proc', '--', '/bin/sh', '-c'],
    ...['printf "%s\\n" "$2" | "$1" -4 -batch - && shift 2 && exec "$@"', 'sh', ip, toRoutes(own)],
  ];
}
