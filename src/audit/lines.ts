// Indexes the lines of an audit file without keeping their text: a page of a log of 64 MiB is found by numbers, and
// only its own lines are read and parsed. It never writes.
import type { FileHandle } from 'node:fs/promises';
import { isAboutTeam } from './entry.ts';

/** Entries of one owner in one file, oldest first. */
export interface Lines {
  starts: number[];
  lengths: number[];
  /** Milliseconds since 1970. */
  times: number[];
  actions: string[];
  /** Ids of the users who acted; null for the command line and the service. */
  users: (string | null)[];
  /** Whether each is about the team. */
  isTeam: boolean[];
}

export interface Scanned {
  /** All whole lines before this offset have been scanned. */
  bytes: number;
  /** By site, null for the service. Files of earlier versions have the entries of all sites. */
  byOwner: Map<string | null, Lines>;
  /** Actions and ids that occur in it. */
  texts: Map<string, string>;
  /** Bytes of the entries of each user; null for the command line and the service. */
  bytesByUser: Map<string | null, number>;
  /** The latest time of an entry, in milliseconds since 1970. */
  newestMs: number;
}

export function nothingScanned(): Scanned {
  return { bytes: 0, byOwner: new Map(), texts: new Map(), bytesByUser: new Map(), newestMs: 0 };
}

const CHUNK_BYTES = 64 << 10;
/** The keys that the index needs come before the changes. */
const HEAD =
  /^\{"id":"[^"]*","at":"([^"]*)","site":(null|"[^"]*"),"actor":(?:\{"id":(null|"[^"]*"))?.*?,"action":"([^"]*)"/s;
/** Space for two names and an address, with every character escaped. */
const HEAD_CHARACTERS = 6000;
const NEWLINE = 10;

/** Scans lines that were appended since the last scan. A damaged line is left out. */
export async function scanLines(file: FileHandle, scanned: Scanned): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  for (let at = scanned.bytes; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      scanLine(scanned, bytes.subarray(start, end));
      scanned.bytes += end + 1 - start;
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
}

function scanLine(scanned: Scanned, line: Buffer): void {
  const { byOwner, bytes, bytesByUser } = scanned;
  const head = readHead(line);
  if (!head) return;
  const { site, action } = head;
  let lines = byOwner.get(site);
  if (!lines) byOwner.set(site, (lines = { starts: [], lengths: [], times: [], actions: [], users: [], isTeam: [] }));
  const isTeam = isAboutTeam(action);
  lines.starts.push(bytes);
  lines.lengths.push(line.length);
  lines.times.push(head.atMs);
  lines.isTeam.push(isTeam);
  lines.actions.push(intern(scanned, action));
  const user = head.user === null ? null : intern(scanned, head.user);
  lines.users.push(user);
  bytesByUser.set(user, (bytesByUser.get(user) ?? 0) + line.length + 1);
  if (head.atMs > scanned.newestMs) scanned.newestMs = head.atMs;
}

/** The start of a line, without parsing the rest. */
export interface LineHead {
  /** Milliseconds since 1970. */
  atMs: number;
  site: string | null;
  user: string | null;
  action: string;
}

/** Returns undefined if the line is damaged. */
export function readHead(line: Buffer): LineHead | undefined {
  const [, at, owner, user = 'null', action] = HEAD.exec(line.toString('latin1', 0, HEAD_CHARACTERS)) ?? [];
  if (at === undefined || owner === undefined || action === undefined) return undefined;
  return { atMs: Date.parse(at), site: toId(owner), user: toId(user), action };
}

function toId(json: string): string | null {
  return json === 'null' ? null : json.slice(1, -1);
}

/** A text that many lines have is kept once. */
function intern({ texts }: Scanned, text: string): string {
  const known = texts.get(text);
  if (known === undefined) texts.set(text, text);
  return known ?? text;
}
