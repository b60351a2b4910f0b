// The effect that one write must have had on the documents, given what was before it in the log. Pure; knows the
// contract and nothing of the implementation.
import { isDeepStrictEqual } from 'node:util';
import { type Change, type Doc, type Place, placeOf, type Rule, type Write } from './history.ts';

export interface Problem {
  rule: Rule;
  message: string;
}

/** The document at a place now, and the last one that was there. */
type Find = (place: Place) => { doc: Doc | undefined; last: Doc | undefined };

/** The event that the commit of a write names. */
export function eventOf(write: Write, before: Doc | undefined): string {
  switch (write.kind) {
    case 'create':
      return 'document.created';
    case 'delete':
      return 'document.deleted';
    case 'restore':
      return 'document.restored';
    case 'lock':
      return 'field.locked';
    case 'unlock':
      return 'field.unlocked';
    case 'update': {
      const status = write.status ?? before?.status;
      if (status !== before?.status) return STATUS_EVENT[status ?? ''] ?? 'none';
      return write.to !== undefined && write.to !== write.slug ? 'document.renamed' : 'document.updated';
    }
  }
}

const STATUS_EVENT: Record<string, string> = {
  published: 'document.published',
  draft: 'document.unpublished',
  archived: 'document.archived',
};

/** `find` returns what was at a place before the write. */
export function checkEffect(write: Write, changes: readonly Change[], find: Find): Problem[] {
  const wrong = (message: string): Problem[] => [{ rule: 'wrong-effect', message }];
  if (write.kind === 'create') {
    const [change, ...others] = changes;
    if (!change?.doc || others.length) return wrong(`changes ${changes.length} documents instead of making one`);
    if (write.slug !== undefined && change.place !== placeOf({ ...write, slug: write.slug }))
      return wrong(`made ${change.place}`);
    if (find(change.place).doc) return [{ rule: 'lost-key', message: `took the place of ${change.place}` }];
    return checkCreated(write, change.doc);
  }
  const place = placeOf(write);
  const { doc: before, last } = find(place);
  if (write.kind === 'restore') {
    const [change, ...others] = changes;
    if (!change?.doc || others.length || change.place !== place) return wrong(`did not restore exactly ${place}`);
    if (before) return [{ rule: 'lost-key', message: `took the place of ${place}` }];
    return last ? checkRestored(last, change.doc) : wrong(`restored ${place}, which never existed`);
  }
  if (!before) return wrong(`changes ${place}, which did not exist`);
  const to = write.kind === 'update' ? placeOf({ ...write, slug: write.to ?? write.slug }) : place;
  const expected = new Set([place, to]);
  const stray = changes.find((change) => !expected.has(change.place));
  if (stray) return wrong(`changes ${stray.place} too`);
  const changeAt = (at: Place): Change | undefined => changes.find((change) => change.place === at);
  if (write.kind === 'delete') return changeAt(place)?.doc ? wrong(`left ${place}`) : [];
  if (to !== place) {
    if (!changeAt(place) || changeAt(place)?.doc) return [{ rule: 'half', message: `left ${place} where it was` }];
    if (find(to).doc) return [{ rule: 'lost-key', message: `took the place of ${to}` }];
  }
  const after = changeAt(to)?.doc;
  if (!after) return wrong(`left nothing at ${to}`);
  return write.kind === 'update' ? checkUpdated(write, before, after) : checkLocked(write, before, after);
}

function checkCreated(write: Write & { kind: 'create' }, doc: Doc): Problem[] {
  const { data, status = 'draft' } = write;
  const problems = checkData({}, data, doc.data);
  if (doc.status !== status) problems.push({ rule: 'wrong-effect', message: `has status ${doc.status}` });
  if (doc.createdAt !== doc.updatedAt) problems.push({ rule: 'wrong-effect', message: 'was changed when it was made' });
  if (doc._fieldMeta) problems.push({ rule: 'wrong-effect', message: 'has field metadata' });
  return problems;
}

function checkUpdated(write: Write & { kind: 'update' }, before: Doc, after: Doc): Problem[] {
  const { data = {}, status = before.status, to = write.slug } = write;
  const problems = checkData(before.data, data, after.data);
  const expected = { ...before, slug: to, status, updatedAt: after.updatedAt, data: after.data };
  if (!isDeepStrictEqual(after, expected))
    problems.push({ rule: 'wrong-effect', message: differences(expected, after) });
  if (after.updatedAt <= before.updatedAt)
    problems.push({ rule: 'wrong-effect', message: `updatedAt went from ${before.updatedAt} to ${after.updatedAt}` });
  return problems;
}

/** The document must be as it was last, apart from locks. */
function checkRestored({ _fieldMeta: _, ...last }: Doc, { _fieldMeta: __, ...doc }: Doc): Problem[] {
  const problems = checkData({}, last.data, doc.data);
  const expected = { ...last, updatedAt: doc.updatedAt, data: doc.data };
  if (!isDeepStrictEqual(doc, expected)) problems.push({ rule: 'wrong-effect', message: differences(expected, doc) });
  if (doc.updatedAt <= last.updatedAt) problems.push({ rule: 'wrong-effect', message: 'is not newer than it was' });
  return problems;
}

function checkLocked(write: Write & { kind: 'lock' | 'unlock' }, before: Doc, after: Doc): Problem[] {
  const { _fieldMeta: metaBefore = {}, ...restBefore } = before;
  const { _fieldMeta: metaAfter = {}, ...restAfter } = after;
  const problems: Problem[] = [];
  if (!isDeepStrictEqual(restBefore, restAfter))
    problems.push({ rule: 'lost-key', message: differences(restBefore, restAfter) });
  const { [write.field]: _was, ...othersBefore } = metaBefore;
  const { [write.field]: entry, ...othersAfter } = metaAfter;
  if (!isDeepStrictEqual(othersBefore, othersAfter))
    problems.push({ rule: 'lost-key', message: `of _fieldMeta: ${differences(othersBefore, othersAfter)}` });
  const isRight = write.kind === 'unlock' ? entry === undefined : entry?.reason === write.reason;
  if (!isRight) problems.push({ rule: 'wrong-effect', message: `left the lock of ${write.field} otherwise` });
  return problems;
}

/** `sent` on `before` must have given `after`: key by key, all of it, and nothing else. */
function checkData(
  before: Record<string, unknown>,
  sent: Record<string, unknown>,
  after: Record<string, unknown>,
): Problem[] {
  const problems: Problem[] = [];
  const keys = Object.keys(sent);
  const missing = keys.filter((key) => !isDeepStrictEqual(after[key], sent[key]));
  if (missing.length) {
    const rule = missing.length < keys.length ? 'half' : 'wrong-effect';
    problems.push({ rule, message: `does not have ${missing.join(', ')} as sent` });
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (key in sent || isDeepStrictEqual(before[key], after[key])) continue;
    problems.push({ rule: 'lost-key', message: `changed ${key}, which it did not send` });
  }
  return problems;
}

function differences(expected: Record<string, unknown>, found: Record<string, unknown>): string {
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
  const different = [...keys].filter((key) => !isDeepStrictEqual(expected[key], found[key]));
  return different
    .map((key) => `${key} is ${JSON.stringify(found[key])} and not ${JSON.stringify(expected[key])}`)
    .join(', ');
}
