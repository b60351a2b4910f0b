// Reads a commit's metadata. Our commits are recognised by their committer and describe their change in trailers
// (decisions.md, section 5); external commits have an author and a date, and their changes are read from the trees
// (served-changes.ts).
import type { Actor } from '../access/principal.ts';
import { toPlainName } from '../lib/text/plain-name.ts';
import { decodeToken } from '../lib/text/trailer-token.ts';
import { type NotShown, parseNotShown } from '../store/git/not-shown.ts';
import {
  type Oid,
  type Person,
  parseCommit,
  parseReplaced,
  parseTrailers,
  type Replaced,
} from '../store/git/objects.ts';
import type { DocumentPlace } from './log-index.ts';

export interface CommitRecord {
  tree: Oid;
  parents: Oid[];
  /** As it can be shown (plain-name.ts). */
  author: Person;
  /** ISO 8601. */
  date: string;
  /** Undefined for an external commit, and for a change that was set aside, which has no effect on the tree. */
  own: OwnRecord | undefined;
}

export interface OwnRecord {
  event: string;
  actor: Actor['kind'];
  /** The account that acted. */
  userId: string | undefined;
  changeId: string;
  /** The commits that it replaced, oldest first. */
  replaced: readonly Replaced[];
  fields: string[];
  /** What of external commits it overwrote when it was put on top of them. */
  notShown: readonly NotShown[];
  /** Undefined if the documents that it changed have to be read from the trees. */
  documents: { id: string; also: string[] } | undefined;
  /** Undefined if the commit is not about one document. */
  place: DocumentPlace | undefined;
  /** Whether it moved a media file, maybe with documents: what it changed has to be read from the trees. */
  isMediaMove: boolean;
}

const ID = /^(?=.*[A-Z])[0-9A-Za-z]{12}$/;
const SUBJECT = /^([a-z0-9][a-z0-9-]*)\/(\S+): /;
const EVENT = /^[a-z]+\.[a-z]+$/;
const ACTORS: ReadonlySet<string> = new Set<Actor['kind']>(['user', 'ai', 'import', 'system']);
/** The last second that ECMAScript formats with a four-digit year; git accepts any number. */
const LAST_SECOND = Date.UTC(9999, 11, 31) / 1000;

export function readRecord(body: Buffer, committer: Person): CommitRecord {
  const { tree, parents, author, committer: by, authoredAt, message } = parseCommit(body);
  const isOurs = by.name === committer.name && by.email === committer.email;
  const seconds = Math.min(Math.max(0, authoredAt), LAST_SECOND);
  const own = isOurs ? readOwn(message) : undefined;
  const shown = { name: toPlainName(author.name), email: toPlainName(author.email) };
  return { tree, parents, author: shown, date: new Date(seconds * 1000).toISOString(), own };
}

/** Whether a commit of this event is about media, so that documents in it changed along with them. */
export function isMediaEvent(event: string): boolean {
  return event.startsWith('media.');
}

function readOwn(message: string): OwnRecord | undefined {
  const trailers = parseTrailers(message);
  const [event = '', changeId = '', actor = ''] = ['Event', 'Change-Id', 'Actor'].map((key) => trailers.get(key));
  if (!EVENT.test(event) || changeId === '' || trailers.has('Set-Aside')) return undefined;
  const [, collection, named] = SUBJECT.exec(message) ?? [];
  // Users choose the names of media files, so they may need escaping.
  const slug = isMediaEvent(event) ? named?.split('/').map(decodeToken).join('/') : named;
  const id = trailers.get('Document-Id') ?? '';
  const user = trailers.get('User');
  const also = listOf(trailers.get('Also-Changed'));
  return {
    event,
    actor: ACTORS.has(actor) ? (actor as Actor['kind']) : 'system',
    userId: user === undefined ? undefined : decodeToken(user),
    changeId,
    replaced: trailers.has('Replaces') ? parseReplaced(message) : [],
    fields: listOf(trailers.get('Fields')).map(decodeToken),
    notShown: trailers.has('Not-Shown') ? parseNotShown(message) : [],
    documents: ID.test(id) && also.every((one) => ID.test(one)) ? { id, also } : undefined,
    place: collection && slug ? { collection, slug } : undefined,
    isMediaMove: isMediaEvent(event) && trailers.has('Renamed-From'),
  };
}

function listOf(value = ''): string[] {
  return value === '' ? [] : value.split(', ');
}

/**
 * The part of a commit that a replay does not change: everything but its tree and its parents. Two commits of one log
 * that share it are the same change.
 */
export function changeIdentityOf(body: Buffer): string {
  return body
    .toString('latin1', body.indexOf('\nauthor '))
    .replace(/(?:Not-Shown: \S+ \S+ \S+\n)+|Set-Aside: [0-9a-f]{40}\n$/, '');
}
