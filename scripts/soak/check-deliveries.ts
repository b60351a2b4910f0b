// What a receiver of webhooks was told, against the log: each change at least once, under one delivery id, and the changes
// of a document in their order. A change that somebody else's commit of the same document came below is told again, once for
// each of those. Of other people's commits the log may be read along either side of a merge, so each of their
// documents must have been told of. Pure.
import type { Epoch, Violation } from './history.ts';

export interface Delivery {
  /** The header `webhook-id`. */
  id: string;
  event: string;
  /** Of other people's commits their id. */
  changeId: string;
  commit: string;
  documentId: string;
  place: string;
}

/** How one change of one document was told. */
interface Told {
  ids: ReadonlySet<string>;
  /** Other people's commits of the document that were told until it got its newest id. */
  theirs: number;
}

/** What was told in the epoch before: a crash in the quiet moment may have it told again. */
export interface ToldBefore {
  of(delivery: Delivery): Told;
  /** Other people's commits of the document. */
  theirsOf(documentId: string): ReadonlySet<string>;
  /** Whether the change was in the log of the epoch before. */
  has(changeId: string): boolean;
  keep(epoch: Epoch, deliveries: readonly Delivery[]): void;
}

export type DeliveryViolation = Violation & { isMissing: boolean };

/** A lock changes no content. */
const UNTOLD = /^field\./;

const keyOf = ({ changeId, documentId, event }: Delivery): string => `${changeId} ${documentId} ${event}`;

/** The key's own; made of what is given. */
function setOf(sets: Map<string, Set<string>>, key: string, given?: () => Iterable<string> | undefined): Set<string> {
  let set = sets.get(key);
  if (!set) sets.set(key, (set = new Set(given?.())));
  return set;
}

const UNHEARD: Told = { ids: new Set(), theirs: 0 };

function withId(told: Told, id: string, theirs: number): Told {
  return told.ids.has(id) ? told : { ids: new Set([...told.ids, id]), theirs };
}

export function createToldBefore(): ToldBefore {
  let last = new Map<string, Told>();
  let changes = new Set<string>();
  const theirs = new Map<string, Set<string>>();
  return {
    of: (delivery) => last.get(keyOf(delivery)) ?? UNHEARD,
    theirsOf: (documentId) => theirs.get(documentId) ?? new Set(),
    has: (changeId) => changes.has(changeId),
    keep({ commits, beside }, deliveries) {
      const earlier = last;
      last = new Map();
      for (const delivery of deliveries) {
        const { id, changeId, commit, documentId } = delivery;
        const ofDocument = setOf(theirs, documentId);
        if (changeId === commit) ofDocument.add(commit);
        const key = keyOf(delivery);
        last.set(key, withId(last.get(key) ?? earlier.get(key) ?? UNHEARD, id, ofDocument.size));
      }
      changes = new Set([...commits, ...beside].map(({ id, changeId }) => changeId || id));
    },
  };
}

export function checkDeliveries(
  { commits, beside }: Epoch,
  deliveries: readonly Delivery[],
  before: ToldBefore = createToldBefore(),
): DeliveryViolation[] {
  const violations: DeliveryViolation[] = [];
  const report = (message: string, isMissing: boolean, ...about: string[]): void =>
    void violations.push({ rule: 'webhooks', message, about, isMissing });
  const positions = new Map(commits.map(({ id, changeId }, position) => [changeId || id, position]));
  const ofMerges = new Set(beside.map(({ id, changeId }) => changeId || id));
  const last = new Map<string, Told>();
  const overtaking = new Map<string, Set<string>>();
  const told = new Set<string>();
  const newest = new Map<string, { position: number; changeId: string }>();

  for (const delivery of deliveries) {
    const { id, changeId, commit, documentId, event } = delivery;
    const theirs = setOf(overtaking, documentId, () => before.theirsOf(documentId));
    if (changeId === commit) theirs.add(commit);
    const position = positions.get(changeId);
    if (position === undefined && !ofMerges.has(changeId) && !before.has(changeId))
      report(`delivery ${id} is of change ${changeId}, which is not in the log`, false, changeId);
    const known = last.get(keyOf(delivery)) ?? before.of(delivery);
    const isRepeat = known.ids.size > 0;
    // Each id but the first is for a commit of others that was told since the one before.
    if (isRepeat && !known.ids.has(id) && theirs.size <= known.theirs) {
      const asWhat = [...known.ids].join(', ');
      report(`${event} of change ${changeId} was told as ${asWhat} and again as ${id}`, false, changeId);
    }
    last.set(keyOf(delivery), withId(known, id, theirs.size));
    told.add(changeId);
    // Of other people's merges no order is promised.
    if (isRepeat || position === undefined || commits[position]!.changeId === '') continue;
    const newer = newest.get(documentId);
    if (newer && newer.position > position)
      report(
        `change ${changeId} of ${documentId} was told behind ${newer.changeId}, which followed it`,
        false,
        changeId,
      );
    else newest.set(documentId, { position, changeId });
  }

  const theirs = new Set(
    deliveries
      .filter(({ changeId, commit }) => changeId === commit || ofMerges.has(changeId))
      .map(({ place }) => place),
  );
  for (const { id, changeId, event, changes } of commits) {
    if (changeId !== '' && !UNTOLD.test(event) && !told.has(changeId))
      report(`change ${changeId} (${event}, ${changes.map(({ place }) => place)}) was not told`, true, id);
    const untold = changeId === '' ? changes.find(({ place }) => !theirs.has(place)) : undefined;
    if (untold) report(`${untold.place} in ${id}, a commit of others, was not told`, true, id);
  }
  return violations;
}
