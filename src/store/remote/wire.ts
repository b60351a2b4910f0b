// What is sent to a git host and what it answers, framed in pkt-lines (gitprotocol-common(5), gitprotocol-pack(5) over
// gitprotocol-http(5)). isomorphic-git finds out what the host has; its own fetch and push load whole packs into
// memory.
import type { Oid } from '../git/objects.ts';
import { quoteHost, RemoteError } from './error.ts';

export const NO_COMMIT: Oid = '0'.repeat(40);
const FLUSH = '0000';
const AGENT = 'agent=colophon';
const MESSAGE_BYTES = 4096;

export function toPkt(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
}

/** Asks for a commit and everything below it that our commits do not reach. */
export function uploadRequest(want: Oid, haves: readonly Oid[]): Buffer {
  // `multi_ack_detailed` is for hosts that insist on it; we name everything that we have at once.
  const capabilities = `multi_ack_detailed side-band-64k ofs-delta ${AGENT}`;
  const lines = [toPkt(`want ${want} ${capabilities}\n`), FLUSH];
  for (const have of haves) lines.push(toPkt(`have ${have}\n`));
  lines.push(toPkt('done\n'));
  return Buffer.from(lines.join(''), 'latin1');
}

/**
 * Asks for a commit without its ancestors and for its trees without the files: what a push needs to know of a commit
 * that it builds on. Only for hosts with the capabilities `filter` and `shallow`.
 */
export function treesRequest(want: Oid): Buffer {
  const capabilities = `side-band-64k ofs-delta shallow filter ${AGENT}`;
  const lines = [`want ${want} ${capabilities}\n`, 'deepen 1\n', 'filter blob:none\n'].map(toPkt);
  return Buffer.from(`${lines.join('')}${FLUSH}${toPkt('done\n')}`, 'latin1');
}

/** The head of a push; the pack follows. */
export function receiveRequest(ref: string, from: Oid | null, to: Oid, capabilities: ReadonlySet<string>): Buffer {
  const used = ['report-status', 'side-band-64k', 'ofs-delta'].filter((name) => capabilities.has(name));
  // Some hosts break off if they get an agent that they did not ask for.
  if ([...capabilities].some((name) => name.startsWith('agent='))) used.push(AGENT);
  return Buffer.from(toPkt(`${from ?? NO_COMMIT} ${to} ${ref}\0 ${used.join(' ')}`) + FLUSH, 'utf8');
}

/** The contents of the lines; null is a flush. */
async function* readPkts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer | null> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = rest.length ? Buffer.concat([rest, chunk]) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let at = 0;
    while (rest.length - at >= 4) {
      const text = rest.toString('latin1', at, at + 4);
      const length = /^[0-9a-f]{4}$/i.test(text) ? Number.parseInt(text, 16) : -1;
      if (length < 0 || length === 3) throw notGit(rest.subarray(at));
      if (length < 4) {
        yield null;
        at += 4;
        continue;
      }
      if (rest.length - at < length) break;
      yield rest.subarray(at + 4, at + length);
      at += length;
    }
    rest = rest.subarray(at);
  }
  if (rest.length) throw new RemoteError('failed', 'the host broke off in the middle of its answer');
}

function notGit(bytes: Buffer): RemoteError {
  const said = `: ${quoteHost(bytes.toString('utf8', 0, 100))}`;
  return new RemoteError('failed', 'the host does not answer like a git host', { said });
}

/** A branch as a host advertises it. */
export interface AdvertisedBranch {
  /** Null if the branch does not exist. */
  tip: Oid | null;
  capabilities: ReadonlySet<string>;
}

/** Reads the answer to `GET info/refs` (protocol version 0). Throws unless it is whole: a branch must not seem removed. */
export async function readAdvertisement(body: AsyncIterable<Uint8Array>, ref: string): Promise<AdvertisedBranch> {
  let capabilities: ReadonlySet<string> | undefined;
  let tip: Oid | null = null;
  let flushes = 0;
  for await (const line of readPkts(body)) {
    if (line === null) {
      flushes++;
      continue;
    }
    const text = line.toString('utf8').trimEnd();
    if (text.startsWith('# service=')) continue;
    const [, oid, name, rest] = /^([0-9a-f]{40,64}) ([^\0]+)(?:\0(.*))?$/.exec(text) ?? [];
    if (!oid || !name) throw text.startsWith('ERR ') ? hostSays(line.subarray(4)) : notGit(line);
    capabilities ??= new Set((rest ?? '').split(' ').filter(Boolean));
    if (name !== ref) continue;
    if (oid.length !== NO_COMMIT.length) throw new RemoteError('refused', 'the repository does not use sha1 ids');
    tip = oid;
  }
  if (flushes < 2 || !capabilities) throw new RemoteError('failed', 'the host broke off in the middle of its answer');
  return { tip, capabilities };
}

/** The pack in the answer to `uploadRequest`. */
export async function* readPack(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let hasBegun = false;
  for await (const line of readPkts(body)) {
    if (line === null || line.length === 0) continue;
    const band = line[0]!;
    if (band === 1) {
      hasBegun = true;
      yield line.subarray(1);
    } else if (band === 3) throw hostSays(line.subarray(1));
    else if (band !== 2) {
      const text = line.toString('utf8');
      if (text.startsWith('ERR ')) throw hostSays(line.subarray(4));
      if (hasBegun || !/^(ACK |NAK|shallow )/.test(text)) throw notGit(line);
    }
  }
  if (!hasBegun) throw new RemoteError('failed', 'the host sent no pack');
}

/** Throws the host's reason if it refused the push. */
export async function readReport(body: AsyncIterable<Uint8Array>, ref: string): Promise<void> {
  let report = Buffer.alloc(0);
  let messages = '';
  for await (const line of readPkts(body)) {
    if (line === null || line.length === 0) continue;
    const band = line[0]!;
    if (band === 1) report = Buffer.concat([report, line.subarray(1)]);
    else if (band === 2) messages = (messages + line.toString('utf8', 1)).slice(-MESSAGE_BYTES);
    else if (band === 3) throw hostSays(line.subarray(1));
    else report = Buffer.concat([report, Buffer.from(toPkt(line.toString('latin1')), 'latin1')]);
    if (report.length > MESSAGE_BYTES * 4) throw notGit(report);
  }
  let isUnpacked = false;
  let isMoved = false;
  const said = messages && `; it says: ${quoteHost(messages)}`;
  for await (const line of readPkts(one(report))) {
    const text = line?.toString('utf8').trimEnd() ?? '';
    if (text === 'unpack ok') isUnpacked = true;
    else if (text.startsWith('unpack ')) {
      const why = `: ${quoteHost(text.slice(7))}${said}`;
      throw new RemoteError('failed', 'the host could not accept the pack', { said: why });
    } else if (text === `ok ${ref}`) isMoved = true;
    else if (text.startsWith(`ng ${ref} `)) {
      const why = `: ${quoteHost(text.slice(ref.length + 4))}${said}`;
      throw new RemoteError('refused', `the host refused the push to ${ref}`, { said: why });
    }
  }
  if (!isUnpacked || !isMoved) throw new RemoteError('failed', 'the host did not say whether it accepted the push');
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function hostSays(bytes: Buffer): RemoteError {
  return new RemoteError('failed', 'the host answers with an error', {
    said: `: ${quoteHost(bytes.toString('utf8'))}`,
  });
}
