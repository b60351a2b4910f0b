// Compares the deliveries that a receiver of webhooks accepted with the log: each change at least once, under one
// delivery id, and the changes of a document in order. If an external commit of the same document was put below a
// change, the change is delivered again, once for each such commit. The log may be read along either side of an
// external merge, so each document of external commits must have been delivered. Pure.
import type { Epoch, Violation } from './history.ts';

export interface Delivery {
  /** The header `webhook-id`. */
  id: string;
  event: string;
  /** For external commits the commit's id. */
  changeId: string;
  commit: string;
  documentId: string;
  place: string;
}

/** How one change of one document was delivered. */
interface Delivered {
  ids: ReadonlySet<string>;
  /** External commits of the document that were delivered before the change got its newest id. */
  theirs: number;
}

/** The deliveries of the epoch before: a crash in the quiet moment may cause them to be repeated. */
export interface EarlierDeliveries {
  of(delivery: Delivery): Delivered;
  /** External commits of the document. */
  theirsOf(documentId: string): ReadonlySet<string>;
  /** Whether the change was in the log of the epoch before. */
  has(changeId: string): boolean;
  keep(epoch: Epoch, deliveries: readonly Delivery[]): void;
}

export type DeliveryViolation = Violation & { isMissing: boolean };

/** A lock changes no content. */
const UNDELIVERED = /^field\./;

const keyOf = ({ changeId, documentId, event }: Delivery): string => `${changeId} ${documentId} ${event}`;

/** The set of a key; a new one starts with `given`. */
function setOf(sets: Map<string, Set<string>>, key: string, given?: () => Iterable<string> | undefined): Set<string> {
  let set = sets.get(key);
  if (!set) sets.set(key, (set = new Set(given?.())));
  return set;
}

const NEVER_DELIVERED: Delivered = { ids: new Set(), theirs: 0 };

function withId(known: Delivered, id: string, theirs: number): Delivered {
  return known.ids.has(id) ? known : { ids: new Set([...known.ids, id]), theirs };
}

export function createEarlierDeliveries(): EarlierDeliveries {
  let last = new Map<string, Delivered>();
  let changes = new Set<string>();
  const theirs = new Map<string, Set<string>>();
  return {
    of: (delivery) => last.get(keyOf(delivery)) ?? NEVER_DELIVERED,
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
        last.set(key, withId(last.get(key) ?? earlier.get(key) ?? NEVER_DELIVERED, id, ofDocument.size));
      }
      changes = new Set([...commits, ...beside].map(({ id, changeId }) => changeId || id));
    },
  };
}

export function checkDeliveries(
  { commits, beside }: Epoch,
  deliveries: readonly Delivery[],
  before: EarlierDeliveries = createEarlierDeliveries(),
): DeliveryViolation[] {
  const violations: DeliveryViolation[] = [];
  const report = (message: string, isMissing: boolean, ...about: string[]): void =>
    void violations.push({ rule: 'webhooks', message, about, isMissing });
  const positions = new Map(commits.map(({ id, changeId }, position) => [changeId || id, position]));
  const ofMerges = new Set(beside.map(({ id, changeId }) => changeId || id));
  const last = new Map<string, Delivered>();
  const overtaking = new Map<string, Set<string>>();
  const delivered = new Set<string>();
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
    // Each id after the first must be for an external commit that was delivered since the id before.
    if (isRepeat && !known.ids.has(id) && theirs.size <= known.theirs) {
      const asWhat = [...known.ids].join(', ');
      report(`${event} of change ${changeId} was delivered as ${asWhat} and again as ${id}`, false, changeId);
    }
    last.set(keyOf(delivery), withId(known, id, theirs.size));
    delivered.add(changeId);
    // No order is promised for external merges.
    if (isRepeat || position === undefined || commits[position]!.changeId === '') continue;
    const newer = newest.get(documentId);
    if (newer && newer.position > position)
      report(
        `change ${changeId} of ${documentId} was delivered after ${newer.changeId}, which followed it`,
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
    if (changeId !== '' && !UNDELIVERED.test(event) && !delivered.has(changeId))
      report(`change ${changeId} (${event}, ${changes.map(({ place }) => place)}) was not delivered`, true, id);
    const missing = changeId === '' ? changes.find(({ place }) => !theirs.has(place)) : undefined;
    if (missing) report(`${missing.place} in ${id}, an external commit, was not delivered`, true, id);
  }
  return violations;
}
