// The commit message of a change: a subject that a developer reads in `git log`, and trailers that programs read
// (decisions.md, section 5). Names of fields come from clients, so they are encoded: none of them can break a line.
import { actorTrailers } from '../../lib/actor-trailers.ts';
import { toToken } from '../../lib/text/trailer-token.ts';
import type { ChangedDocument, DocumentEvent, EventName } from '../document.ts';

const VERB: Record<EventName, string> = {
  'document.created': 'create',
  'document.updated': 'update',
  'document.renamed': 'rename',
  'document.published': 'publish',
  'document.unpublished': 'unpublish',
  'document.archived': 'archive',
  'document.deleted': 'delete',
  'document.restored': 'restore',
  'field.locked': 'lock',
  'field.unlocked': 'unlock',
  'content.imported': 'import',
  'content.bulk': 'change',
};

const SUBJECT_FIELDS = 5;
/** A body may hold thousands of keys; the trailer names this many of them. */
const TRAILER_FIELDS = 200;
/** Up to this many other documents are named one by one; for more of them readers have to compare the trees. */
const TRAILER_DOCUMENTS = 200;
const MANY = '*';
const SHORT_OID = 10;
const NAMES_FIELDS = new Set<EventName>(['document.updated', 'field.locked', 'field.unlocked']);

export interface MessageParts {
  subject: string;
  trailers: string[];
}

export function toMessage(
  event: DocumentEvent,
  extra: { requestId?: string | undefined; idempotency?: string | undefined },
): MessageParts {
  const { name, before, after, actor } = event;
  const doc = (after ?? before)!;
  const fields = event.fields.slice(0, TRAILER_FIELDS).map(toToken);
  const trailers = [`Event: ${name}`];
  // Without an id, readers find the documents of the commit in its trees.
  if (event.others) trailers.push(`Documents: ${event.others.length + 1}`);
  else trailers.push(`Document-Id: ${doc.id}`);
  if (event.also) trailers.push(alsoChanged(event.also));
  if (fields.length) trailers.push(`Fields: ${fields.join(', ')}`);
  if (!event.others && after && (!before || before.status !== after.status)) trailers.push(`Status: ${after.status}`);
  if (!event.others && before && after && before.slug !== after.slug) trailers.push(`Renamed-From: ${before.slug}`);
  if (event.restoredFrom) trailers.push(`Restored-From: ${event.restoredFrom}`);
  trailers.push(...actorTrailers(actor));
  if (extra.requestId) trailers.push(`Request-Id: ${toToken(extra.requestId)}`);
  if (extra.idempotency) trailers.push(`Idempotency-Key: ${extra.idempotency}`);
  const what = event.others && `${placeOf(event)}${VERB[name]} ${documents(event.others.length + 1)}`;
  return { subject: what ?? `${doc.collection}/${doc.slug}: ${summary(event, fields)}`, trailers };
}

/** An import may be of several collections. */
function placeOf({ before, after, others = [] }: DocumentEvent): string {
  const all = [{ before, after }, ...others].map((one) => (one.after ?? one.before)!.collection);
  return new Set(all).size === 1 ? `${all[0]}: ` : '';
}

const documents = (count: number): string => `${count} ${count === 1 ? 'document' : 'documents'}`;

/** Names the documents that change along, so that a document's history is found without reading trees. */
export function alsoChanged(also: readonly ChangedDocument[]): string {
  return `Also-Changed: ${also.length > TRAILER_DOCUMENTS ? MANY : also.map(({ after }) => after.id).join(', ')}`;
}

function summary({ name, before, after, fields: all, restoredFrom }: DocumentEvent, fields: string[]): string {
  if (name === 'document.renamed') return `rename from ${before?.slug} to ${after?.slug}`;
  if (name === 'document.created') return after?.status === 'draft' ? 'create' : `create as ${after?.status}`;
  if (restoredFrom) return `restore the version of ${restoredFrom.slice(0, SHORT_OID)}`;
  if (!NAMES_FIELDS.has(name) || fields.length === 0) return VERB[name];
  const shown = fields.slice(0, SUBJECT_FIELDS).join(', ');
  const more = all.length - SUBJECT_FIELDS;
  return `${VERB[name]} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}
