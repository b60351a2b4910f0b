// What a receiver of webhooks was told, against the log: each change at least once, under one delivery id, and the changes
// of a document in their order. Of other people's commits the log may be read along either side of a merge, so each of
// their documents must have been told of. Pure.
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

/** What was told in the epoch before: a crash in the quiet moment may have it told again. */
export interface ToldBefore {
  idOf(delivery: Delivery): string | undefined;
  /** Whether the change was in the log of the epoch before. */
  has(changeId: string): boolean;
  keep(epoch: Epoch, deliveries: readonly Delivery[]): void;
}

export type DeliveryViolation = Violation & { isMissing: boolean };

/** A lock changes no content. */
const UNTOLD = /^field\./;

const keyOf = ({ changeId, documentId, event }: Delivery): string => `${changeId} ${documentId} ${event}`;

export function createToldBefore(): ToldBefore {
  let ids = new Map<string, string>();
  let changes = new Set<string>();
  return {
    idOf: (delivery) => ids.get(keyOf(delivery)),
    has: (changeId) => changes.has(changeId),
    keep({ commits, beside }, deliveries) {
      ids = new Map(deliveries.map((delivery) => [keyOf(delivery), delivery.id]));
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
  const ids = new Map<string, string>();
  const told = new Set<string>();
  const newest = new Map<string, { position: number; changeId: string }>();

  for (const delivery of deliveries) {
    const { id, changeId, documentId, event } = delivery;
    const position = positions.get(changeId);
    if (position === undefined && !ofMerges.has(changeId) && !before.has(changeId))
      report(`delivery ${id} is of change ${changeId}, which is not in the log`, false, changeId);
    const known = ids.get(keyOf(delivery)) ?? before.idOf(delivery);
    if (known !== undefined && known !== id)
      report(`${event} of change ${changeId} was told as ${known} and again as ${id}`, false, changeId);
    const isRepeat = known !== undefined;
    ids.set(keyOf(delivery), id);
    told.add(changeId);
    // Of other people's merges no order is promised.
    if (isRepeat || position === undefined || commits[position]!.changeId === '') continue;
    const last = newest.get(documentId);
    if (last && last.position > position)
      report(
        `change ${changeId} of ${documentId} was told behind ${last.changeId}, which followed it`,
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
