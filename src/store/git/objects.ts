// Git objects: ids, and the text of commits. Format: gitformat-pack(5) and git's own fsck rules (--strict).
import { hash } from 'node:crypto';

/** A SHA-1 object id, 40 hex characters. */
export type Oid = string;
/** Git knows the empty tree even if it is not stored. */
export const EMPTY_TREE: Oid = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

export interface GitObject {
  type: ObjectType;
  body: Buffer;
}

export interface Person {
  name: string;
  email: string;
}

export interface CommitFields {
  tree: Oid;
  parents: Oid[];
  author: Person;
  committer: Person;
  /** Unix seconds; our commits have the zone +0000. */
  authoredAt: number;
  committedAt: number;
  /** Ends with a newline. */
  message: string;
}

export function oidOf(type: ObjectType, body: Buffer): Oid {
  const header = `${type} ${body.length}\0`;
  const whole = Buffer.allocUnsafe(header.length + body.length);
  whole.write(header, 0, 'latin1');
  body.copy(whole, header.length);
  return hash('sha1', whole);
}

/**
 * Removes control characters and `<>`, which would end the header early or inject another one, and marks that change
 * the writing direction, which would display the name as a different one.
 */
export function toPersonText(person: Person): string {
  const clean = (text: string): string =>
    text
      .toWellFormed()
      .replace(/\p{Bidi_Control}/gu, '')
      .replace(/[\p{Cc}\p{Zl}\p{Zp}<>]/gu, ' ')
      .replace(/\s+/g, ' ')
      .replace(/^[\s.,:;"'\\]+/, '')
      // The lookbehind keeps this linear: without it every character of a long run would be a new start.
      .replace(/(?<![\s.,:;"'\\])[\s.,:;"'\\]+$/, '');
  return `${clean(person.name) || 'unknown'} <${clean(person.email).replaceAll(' ', '')}>`;
}

export function encodeCommit(commit: CommitFields): Buffer {
  let text = `tree ${commit.tree}\n`;
  for (const parent of commit.parents) text += `parent ${parent}\n`;
  text += `author ${toPersonText(commit.author)} ${toSeconds(commit.authoredAt)} +0000\n`;
  text += `committer ${toPersonText(commit.committer)} ${toSeconds(commit.committedAt)} +0000\n\n`;
  return Buffer.from(text + commit.message.replaceAll('\0', ''), 'utf8');
}

/** Git has no dates before 1970. */
function toSeconds(seconds: number): number {
  return Math.max(0, Math.floor(seconds));
}

export function parseCommit(body: Buffer): CommitFields {
  const text = body.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  const parsed: CommitFields = {
    tree: '',
    parents: [],
    author: { name: '', email: '' },
    committer: { name: '', email: '' },
    authoredAt: 0,
    committedAt: 0,
    message: end < 0 ? '' : text.slice(end + 2),
  };
  for (const line of head.split('\n')) {
    if (line.startsWith('tree ')) parsed.tree = line.slice(5);
    else if (line.startsWith('parent ')) parsed.parents.push(line.slice(7));
    else if (line.startsWith('author ')) [parsed.author, parsed.authoredAt] = parseStamp(line.slice(7));
    else if (line.startsWith('committer ')) [parsed.committer, parsed.committedAt] = parseStamp(line.slice(10));
  }
  return parsed;
}

/** `name <email> seconds zone`. */
function parseStamp(text: string): [Person, number] {
  const [, name = '', email = '', seconds = '0'] = /^([^<]*?) ?<([^>]*)> (-?\d+)/.exec(text) ?? [];
  return [{ name, email }, Number(seconds)];
}

/**
 * The same commit with another tree and parent, as a replay writes it. `replaced` adds the trailer that names the
 * earlier commit, and the newest commit below it that both logs have.
 */
export function replantCommit(body: Buffer, tree: Oid, parent: Oid | null, replaced?: Replaced): Buffer {
  const text = body.toString('utf8');
  const rest = text.slice(text.indexOf('\nauthor '));
  const trailer = replaced ? `Replaces: ${replaced.commit} on ${replaced.base ?? NOTHING}\n` : '';
  return Buffer.from(`tree ${tree}${parent ? `\nparent ${parent}` : ''}${rest}${trailer}`, 'utf8');
}

/** The commit that a change had before it was replayed on an external commit. */
export interface Replaced {
  commit: Oid;
  /** The newest commit below it that the log had then and has now; null if there is no such commit. */
  base: Oid | null;
}

const NOTHING = 'nothing';
const REPLACES = /^Replaces: ([0-9a-f]{40}) on ([0-9a-f]{40}|nothing)$/gm;

/** The earlier commits that one of our commits replaces, oldest first. */
export function parseReplaced(message: string): Replaced[] {
  const paragraph = message.trimEnd().split('\n\n').at(-1) ?? '';
  return [...paragraph.matchAll(REPLACES)].map(([, commit, base]) => ({
    commit: commit!,
    base: base === NOTHING ? null : base!,
  }));
}

/** The trailers (`Key: value`) of a commit message's last paragraph. */
export function parseTrailers(message: string): Map<string, string> {
  const trailers = new Map<string, string>();
  const paragraph = message.trimEnd().split('\n\n').at(-1) ?? '';
  for (const line of paragraph.split('\n')) {
    const match = /^([A-Za-z][A-Za-z-]*): (.*)$/.exec(line);
    if (match?.[1]) trailers.set(match[1], match[2] ?? '');
  }
  return trailers;
}
