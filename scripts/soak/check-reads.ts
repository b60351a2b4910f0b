// Compares reads with the timelines: each document in its window, a list as one moment of the log, a word found as soon
// as it was written; and checks that there was a moment at which each refusal was right.
import { isDeepStrictEqual } from 'node:util';
import type { Folded } from './fold-log.ts';
import { isWrite } from './fold-log.ts';
import {
  type Doc,
  type Epoch,
  type Operation,
  type Place,
  placeOf,
  type Rule,
  type Seen,
  type Violation,
} from './history.ts';
import { digestOf, type Timeline, type Version } from './timeline.ts';

type Report = (rule: Rule, message: string, ...about: string[]) => void;

export function checkReads(epoch: Epoch, folded: Folded): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, message, ...about) => void violations.push({ rule, message, about });
  for (const operation of epoch.operations) {
    const { action, outcome } = operation;
    if (outcome.kind !== 'ok') continue;
    const seen = outcome.seen ?? [];
    if (action.kind === 'get') for (const one of seen) checkSeen(operation, one, folded, report);
    if (action.kind === 'list') checkList(operation, seen, folded, report);
    if (action.kind === 'search') checkSearch(operation, seen, folded, report);
  }
  return violations;
}

/** Returns the version that was seen, if that is certain. */
function checkSeen(operation: Operation, seen: Seen, folded: Folded, report: Report): Version | undefined {
  const { id, invokedAtMs, completedAtMs } = operation;
  const timeline = folded.timelineOf(seen.place);
  const { oldest, newest } = timeline.window(invokedAtMs, completedAtMs);
  const index =
    seen.blob === undefined ? timeline.findDigest(seen.digest ?? '', newest) : timeline.find(seen.blob, newest);
  const what = `${id} (${operation.action.kind}) saw ${seen.place}`;
  if (index === undefined) {
    if (timeline.isMixed) checkKeys(operation, seen, timeline, (why) => report('wrong-answer', `${what} ${why}`, id));
    else report('wrong-answer', `${what} as ${seen.blob ?? seen.digest}, which it never was`, id);
    return undefined;
  }
  const version = timeline.versions[index]!;
  if (index < oldest && !isLockShownLater(timeline, index, oldest, operation, seen))
    report('stale', `${what} as it had been before ${nameOf(timeline, oldest)}`, id, seen.place);
  if (index > newest) report('future', `${what} as it was not yet`, id);
  const isGhost = version.blob !== seen.blob;
  if (seen.blob !== undefined && seen.digest !== undefined && !isGhost && !timeline.isShownAs(index, seen.digest))
    report('wrong-answer', `${what} with the entity tag of other bytes`, id);
  return timeline.isMixed ? undefined : version;
}

/**
 * A lock of ours under which an external change was put only after the read: the read saw it on top of the version, and
 * an answer without the entity tag shows the two alike.
 */
function isLockShownLater(
  { versions }: Timeline,
  index: number,
  oldest: number,
  { invokedAtMs }: Operation,
  { blob }: Seen,
): boolean {
  if (blob !== undefined) return false;
  return versions.slice(index + 1, oldest + 1).every(({ byOthers, visibleAtMs, doc }, i) => {
    const before = versions[index + i]!.doc;
    return byOthers ? visibleAtMs >= invokedAtMs : doc && before && digestOf(doc) === digestOf(before);
  });
}

function nameOf(timeline: Timeline, index: number): string {
  return `version ${timeline.versions[index]?.blob ?? 'of its absence'}`;
}

/** For bytes that no one kept (a crash lost the answer, a replay the commit): each key must be as in the window. */
function checkKeys(operation: Operation, { doc }: Seen, timeline: Timeline, report: (message: string) => void): void {
  if (!doc) return;
  const { versions, window } = timeline;
  const { oldest, newest } = window(operation.invokedAtMs, operation.completedAtMs);
  const possible = versions.slice(oldest, Math.max(oldest, newest) + 1);
  // External commits that are below ours in the log may have come later.
  const open = versions.flatMap(({ byOthers, visibleAtMs, doc: after }, i) =>
    byOthers && visibleAtMs >= operation.invokedAtMs ? changedKeys(versions[i - 1]?.doc, after) : [],
  );
  const keys = new Set([doc, ...possible.map((version) => version.doc)].flatMap((one) => Object.keys(one?.data ?? {})));
  for (const key of keys.difference(new Set(open))) {
    const isOne = possible.some((version) => isDeepStrictEqual(version.doc?.data[key], doc.data[key]));
    if (!isOne) report(`with ${key} as it was not then`);
  }
}

function changedKeys(before: Doc | undefined, after: Doc | undefined): string[] {
  const keys = [before, after].flatMap((doc) => Object.keys(doc?.data ?? {}));
  return keys.filter((key) => !isDeepStrictEqual(before?.data[key], after?.data[key]));
}

function checkList(operation: Operation, seen: readonly Seen[], folded: Folded, report: Report): void {
  const { action, id, invokedAtMs, completedAtMs } = operation;
  if (action.kind !== 'list') return;
  let from = -Infinity;
  let to = Infinity;
  for (const one of seen) {
    const version = checkSeen(operation, one, folded, report);
    if (!version) continue;
    const timeline = folded.timelineOf(one.place);
    const { versions } = timeline;
    const isSame = (at: number): boolean => timeline.isShownAs(at, one.digest ?? '');
    // A lock makes another version that looks like the one before.
    let first = versions.indexOf(version);
    let next = first + 1;
    while (isSame(first - 1)) first--;
    while (isSame(next)) next++;
    from = Math.max(from, versions[first]!.position);
    to = Math.min(to, versions[next]?.position ?? Infinity);
  }
  if (from >= to) report('torn-list', `${id} shows documents that were never there together`, id);
  const places = new Set(seen.map(({ place }) => place));
  if (places.size !== seen.length) report('torn-list', `${id} shows a document twice`, id);
  if (!action.isWhole) return;
  for (const place of folded.places) {
    if (!place.startsWith(`${action.collection}/`) || places.has(place)) continue;
    const { versions, window } = folded.timelineOf(place);
    const { oldest, newest } = window(invokedAtMs, completedAtMs);
    const isThere = ({ doc }: Version): boolean =>
      doc !== undefined && (!action.status || doc.status === action.status);
    if (versions.slice(oldest, newest + 1).every(isThere) && newest >= oldest)
      report('missing-in-list', `${id} does not show ${place}`, id);
  }
}

function checkSearch(operation: Operation, seen: readonly Seen[], folded: Folded, report: Report): void {
  const { action, id, invokedAtMs, completedAtMs } = operation;
  if (action.kind !== 'search') return;
  const found = new Set(seen.map(({ place }) => place));
  for (const place of new Set<Place>([placeOf(action), ...found])) {
    const { versions, window } = folded.timelineOf(place);
    const { oldest, newest } = window(invokedAtMs, completedAtMs);
    const possible = versions.slice(oldest, Math.max(oldest, newest) + 1);
    const has = ({ doc }: Version): boolean => doc !== undefined && JSON.stringify(doc.data).includes(action.word);
    if (!found.has(place) && possible.every(has))
      report('not-found-by-search', `${id} does not find "${action.word}" in ${place}`, id);
    if (found.has(place) && !possible.some(has))
      report('not-found-by-search', `${id} finds "${action.word}" in ${place}, where it is not`, id);
  }
}

/** Checks refusals, and failures that are not refusals. */
export function checkRefusals(epoch: Epoch, folded: Folded): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, message, ...about) => void violations.push({ rule, message, about });
  const phantoms = phantomsOf(epoch, folded);
  const ids = new Set(epoch.commits.map(({ id }) => id));
  const keyed = Map.groupBy(
    epoch.operations.filter(({ action }) => action.kind === 'create' && action.key !== undefined),
    ({ action }) => (action.kind === 'create' ? action.key : undefined),
  );
  for (const operation of epoch.operations) {
    const { id, action, outcome, invokedAtMs, completedAtMs } = operation;
    if (outcome.kind === 'unknown' && outcome.isTimeout) report('failure', `${id} (${action.kind}) had no answer`, id);
    const overlaps = (from: number, to: number): boolean => from <= completedAtMs && to >= invokedAtMs;
    const isInOutage = epoch.outages.some(({ fromMs, toMs }) => overlaps(fromMs, toMs));
    if (outcome.kind === 'unknown' && outcome.status !== undefined && !isInOutage)
      report('failure', `${id} (${action.kind}) was answered ${outcome.status} without a reason`, id);
    if (outcome.kind !== 'refused' || (outcome.status === 503 && isInOutage)) continue;
    const isSo = (place: Place, holds: (version: Version) => boolean): boolean => {
      const { versions, window } = folded.timelineOf(place);
      const { oldest, newest } = window(invokedAtMs, completedAtMs);
      return (
        versions.slice(oldest, Math.max(oldest, newest) + 1).some(holds) ||
        (phantoms.get(place) ?? []).some((phantom) => overlaps(phantom.invokedAtMs, phantom.completedAtMs))
      );
    };
    const place = 'slug' in action && action.slug !== undefined ? placeOf({ ...action, slug: action.slug }) : undefined;
    const ifMatch = 'ifMatch' in action ? action.ifMatch : undefined;
    const target =
      action.kind === 'update' && action.to !== undefined
        ? placeOf({ ...action, slug: action.to })
        : action.kind === 'create' || action.kind === 'restore'
          ? place
          : undefined;
    const triesOfKey = action.kind === 'create' ? (keyed.get(action.key) ?? []) : [];
    // A deletion that was replayed in a crash may have a name that no client knows.
    const isKnown = action.kind === 'restore' && ids.has(action.commit);
    const isMissing = ({ doc }: Version): boolean => !doc || ('field' in action && !(action.field in doc.data));
    const isRight =
      (outcome.status === 404 &&
        action.kind !== 'create' &&
        !isKnown &&
        place !== undefined &&
        isSo(place, isMissing)) ||
      (outcome.status === 409 && target !== undefined && isSo(target, ({ doc }) => doc !== undefined)) ||
      (outcome.status === 409 && triesOfKey.length > 1) ||
      (outcome.status === 412 &&
        place !== undefined &&
        ifMatch !== undefined &&
        isSo(place, ({ blob }) => blob !== ifMatch));
    if (isRight) continue;
    const rule = outcome.status >= 500 || ![404, 409, 412].includes(outcome.status) ? 'failure' : 'unjustified-refusal';
    report(rule, `${id} (${action.kind} ${place ?? ''}) was answered ${outcome.status}`, id);
  }
  return violations;
}

/** Writes that were accepted and seen by decisions, but never became durable because of a kill. By place. */
function phantomsOf(epoch: Epoch, folded: Folded): Map<Place, Operation[]> {
  const phantoms = new Map<Place, Operation[]>();
  for (const operation of epoch.operations) {
    const { action, outcome } = operation;
    const isPossible = outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.status >= 500);
    if (!isWrite(operation) || !isPossible || folded.isInLog(operation)) continue;
    const slugs = ['slug' in action ? action.slug : undefined, action.kind === 'update' ? action.to : undefined];
    for (const slug of slugs) {
      if (slug === undefined) continue;
      const place = placeOf({ ...action, slug });
      phantoms.set(place, [...(phantoms.get(place) ?? []), operation]);
    }
  }
  return phantoms;
}
