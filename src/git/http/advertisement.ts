// The first answer to a client that wants to push: the branches and tags, and the capabilities of the service
// (gitprotocol-http(5), "Smart Clients"; gitprotocol-capabilities(5)). Pure.
import { FLUSH, toPacket } from '../pkt-line.ts';

const CAPABILITIES = 'report-status delete-refs ofs-delta atomic side-band-64k object-format=sha1 agent=colophon';

const NOTES = 'refs/notes/colophon';

/** Clients see branches, tags and the notes on pushes; other refs are internal to the service. */
export function isShown(name: string): boolean {
  return name.startsWith('refs/heads/') || name.startsWith('refs/tags/') || name === NOTES;
}

export function toAdvertisement(refs: readonly { name: string; oid: string }[]): Buffer {
  const shown = refs.filter(({ name }) => isShown(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = shown.map(({ name, oid }, i) => `${oid} ${name}${i === 0 ? `\0${CAPABILITIES}` : ''}\n`);
  if (lines.length === 0) lines.push(`${'0'.repeat(40)} capabilities^{}\0${CAPABILITIES}\n`);
  return Buffer.concat([announce('git-receive-pack'), ...lines.map(toPacket), FLUSH]);
}

/** Precedes the refs in every answer of the first two protocol versions. */
export function announce(service: string): Buffer {
  return Buffer.concat([toPacket(`# service=${service}\n`), FLUSH]);
}
