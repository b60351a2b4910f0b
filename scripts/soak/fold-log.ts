// Folds the epoch's log commit by commit: each commit is the one effect of one operation or of an external push, in an
// order that no client can contradict. Readers are checked against the result.
import { checkEffect, eventOf } from './effect.ts';
import type { Commit, Doc, Epoch, Operation, Place, Push, Rule, Violation, Write } from './history.ts';
import { createTimeline, type Timeline } from './timeline.ts';

export interface State {
  doc: Doc | undefined;
  blob: string | undefined;
}

/** Documents at a moment; a missing one has no entry. */
export type Documents = Map<Place, State>;

export interface Folded {
  violations: Violation[];
  /** The timeline of a place, even if it never changed. */
  timelineOf(place: Place): Timeline;
  /** Every place that had a document at some moment of the epoch. */
  places: readonly Place[];
  /** The position of an operation's commit in the log. */
  positionOf: ReadonlyMap<string, number>;
  /** Whether the operation has a commit, even by another try with the same Idempotency-Key. */
  isInLog(operation: Operation): boolean;
}

export function isWrite(operation: Operation): operation is Operation & { action: Write } {
  return !['get', 'list', 'search'].includes(operation.action.kind);
}

const ABSENT: State = { doc: undefined, blob: undefined };

/**
 * Changes `documents` from the epoch's beginning to its end. One function, because it is one pass over the commits:
 * each check sees the documents, ids and keys as the commits before it left them.
 */
export function foldLog(epoch: Epoch, documents: Documents, lagMs: number): Folded {
  const { commits, operations } = epoch;
  const violations: Violation[] = [];
  const report = (rule: Rule, message: string, ...about: string[]): void => {
    violations.push({ rule, message, about });
  };
  const initial = new Map(documents);
  const timelines = new Map<Place, Timeline>();
  const timelineOf = (place: Place): Timeline => {
    const known = timelines.get(place);
    if (known) return known;
    const made = createTimeline(initial.get(place) ?? ABSENT);
    timelines.set(place, made);
    return made;
  };

  const writes = new Map(operations.filter(isWrite).map((operation) => [operation.id, operation]));
  const pushes = new Map(epoch.pushes.map((push) => [push.commit, push]));
  const positionOf = new Map<string, number>();
  const changeIds = new Set<string>();
  const keysInLog = new Map<string, string>();
  const times = timesOf(epoch, writes, lagMs);
  const mixedIds = new Set<string>();
  const ids = new Set(documents.values().map(({ doc }) => doc?.id));
  let latestInvokedMs = -Infinity;
  let latestInvoked = '';
  let hasOthers = false;

  commits.forEach((commit, position) => {
    const operation = writes.get(commit.requestId);
    const push = pushes.get(commit.id);
    if (push) {
      hasOthers = true;
      checkPush(push, commit);
    } else if (!operation && isOfSchedule(commit, epoch.due)) {
      changeIds.add(commit.changeId);
    } else if (!operation) {
      report(
        'from-nowhere',
        `no client asked for commit ${commit.id} (${commit.requestId || 'no Request-Id'})`,
        commit.id,
      );
    } else if (positionOf.has(operation.id)) {
      report('doubled', `${operation.id} made two commits`, operation.id, commits[positionOf.get(operation.id)!]!.id);
    } else {
      positionOf.set(operation.id, position);
      checkOrder(operation, times.ackedAtMs[position]!);
      checkOwn(operation, commit);
    }
    for (const { place, doc, blob } of commit.changes) {
      const version = {
        position,
        doc,
        blob,
        startedAtMs: times.startedAtMs[position]!,
        visibleAtMs: times.visibleAtMs[position]!,
        byOthers: push !== undefined,
      };
      const timeline = timelineOf(place);
      timeline.add(version);
      if (push && doc) mixedIds.add(doc.id);
      if (doc && mixedIds.has(doc.id)) timeline.mix();
      // A replay on an external change of the same document gave other bytes than were answered.
      const answered = operation?.outcome.kind === 'ok' ? operation.outcome.blob : undefined;
      if (answered !== undefined && doc && answered !== blob) {
        if (timeline.isMixed) timeline.addGhost(answered, version);
        else report('wrong-answer', `${operation!.id} was answered ${answered} and made ${blob}`, operation!.id);
      }
      if (doc) documents.set(place, { doc, blob });
      else documents.delete(place);
    }
  });

  function checkPush(push: Push, { id, changes }: Commit): void {
    const found = new Map(changes.map(({ place, blob }) => [place, blob]));
    const isAsPushed =
      found.size === push.files.length && push.files.every(({ place, blob }) => found.get(place) === blob);
    if (!isAsPushed) report('others-lost', `commit ${id} is not what was pushed`, id);
  }

  function checkOrder(operation: Operation, ackedAtMs: number): void {
    if (ackedAtMs < latestInvokedMs) {
      report(
        'order',
        `${operation.id} was answered before ${latestInvoked} was sent, and comes after it`,
        operation.id,
      );
    }
    if (operation.invokedAtMs < latestInvokedMs) return;
    latestInvokedMs = operation.invokedAtMs;
    latestInvoked = operation.id;
  }

  function checkOwn(operation: Operation & { action: Write }, commit: Commit): void {
    const { id, action, outcome } = operation;
    if (outcome.kind === 'refused') report('refused-in-log', `${id} was refused with ${outcome.status}`, id, commit.id);
    if (outcome.kind === 'unsent') report('refused-in-log', `${id} was never sent`, id, commit.id);
    if (commit.changeId === '' || changeIds.has(commit.changeId))
      report('doubled', `Change-Id "${commit.changeId}" occurs twice, or is empty`, id, commit.id);
    changeIds.add(commit.changeId);
    if (action.kind === 'create' && action.key !== undefined) {
      const other = keysInLog.get(action.key);
      if (other) report('doubled', `one Idempotency-Key made two commits`, id, other);
      keysInLog.set(action.key, id);
    }
    if (outcome.kind === 'ok' && !hasOthers && !outcome.isReplayed && outcome.commit !== commit.id)
      report('wrong-answer', `${id} was answered commit ${outcome.commit} and made ${commit.id}`, id, commit.id);
    const find = (place: Place): State & { last: Doc | undefined } => ({
      ...(documents.get(place) ?? ABSENT),
      last: timelineOf(place).versions.findLast(({ doc }) => doc)?.doc,
    });
    for (const { rule, message } of checkEffect(action, commit.changes, find)) {
      report(rule, `${id} (${action.kind}) ${message}`, id, commit.id);
    }
    checkMessage(action, commit, find);
    if (!('ifMatch' in action) || action.ifMatch === undefined) return;
    const place = `${action.collection}/${action.slug}`;
    const found = find(place).blob;
    // It held when it was decided; then an external change of this document came in between.
    if (found !== action.ifMatch && !timelineOf(place).isMixed)
      report('if-match', `${id} is on ${found} and asked for ${action.ifMatch}`, id, commit.id);
  }

  function checkMessage(action: Write, commit: Commit, find: (place: Place) => State): void {
    const before = action.kind === 'create' ? undefined : find(`${action.collection}/${action.slug}`).doc;
    const doc = commit.changes.find((change) => change.doc)?.doc ?? before;
    const event = eventOf(action, before);
    // Whether a status change was needed was decided before an external change was put below ours.
    if (commit.event !== event)
      report('wrong-effect', `the commit says ${commit.event} and not ${event}`, commit.requestId, commit.id);
    if (commit.documentId !== doc?.id)
      report('wrong-effect', `the commit names document ${commit.documentId}`, commit.requestId, commit.id);
    if (action.kind === 'create') {
      if (ids.has(doc?.id))
        report('wrong-effect', `id ${doc?.id} belongs to two documents`, commit.requestId, commit.id);
      ids.add(doc?.id);
    }
  }

  const isInLog = ({ id, action }: Operation): boolean =>
    positionOf.has(id) || (action.kind === 'create' && action.key !== undefined && keysInLog.has(action.key));

  for (const operation of writes.values()) {
    const { id, outcome, action } = operation;
    if (outcome.kind !== 'ok' || isInLog(operation)) continue;
    // Unlocking a field that is not locked makes no commit, and the answer says so.
    if (action.kind === 'unlock' && outcome.commit === undefined) continue;
    report('lost', `${id} (${action.kind}) was answered and is not in the log`, id, outcome.commit ?? '');
  }
  for (const { id, changeId } of epoch.beside) {
    if (changeId !== '') report('doubled', `a commit of ours is not on the branch's line`, id);
  }
  const onBranch = new Set(commits.map(({ id }) => id));
  for (const { commit } of epoch.pushes) {
    if (!onBranch.has(commit)) report('others-lost', `pushed commit ${commit} is not in the log`, commit);
  }
  const places = [...new Set([...initial.keys(), ...timelines.keys()])];
  return { violations, timelineOf, places, positionOf, isInLog };
}

/** Publishes or withdraws one document that is due, without a request. */
function isOfSchedule({ requestId, event, changes }: Commit, due: Epoch['due']): boolean {
  const isDue = requestId === '' && changes.length === 1 && due?.has(changes[0]!.place) === true;
  return isDue && (event === 'document.published' || event === 'document.unpublished' || event === 'document.archived');
}

interface Times {
  ackedAtMs: number[];
  startedAtMs: number[];
  visibleAtMs: number[];
}

/**
 * By position. Ours become visible in log order: none before the ones below it were sent, each at the latest when one
 * above it was answered. External commits are applied within the lag, and ours may be put on top of them afterwards.
 */
function timesOf(epoch: Epoch, writes: ReadonlyMap<string, Operation>, lagMs: number): Times {
  const { commits } = epoch;
  const pushes = new Map(epoch.pushes.map((push) => [push.commit, push]));
  const answeredByKey = new Map<string, number>();
  for (const { action, outcome, completedAtMs } of writes.values()) {
    if (action.kind !== 'create' || action.key === undefined || outcome.kind !== 'ok') continue;
    answeredByKey.set(action.key, Math.min(completedAtMs, answeredByKey.get(action.key) ?? Infinity));
  }
  const ackedAtMs = commits.map(({ requestId }) => {
    const operation = writes.get(requestId);
    if (!operation) return Infinity;
    const { action, outcome, completedAtMs } = operation;
    const own = outcome.kind === 'ok' ? completedAtMs : Infinity;
    return action.kind === 'create' && action.key !== undefined
      ? Math.min(own, answeredByKey.get(action.key) ?? Infinity)
      : own;
  });
  const startedAtMs: number[] = [];
  const visibleAtMs: number[] = [];
  let latest = -Infinity;
  commits.forEach(({ id, requestId }, position) => {
    const push = pushes.get(id);
    latest = push ? latest : Math.max(latest, writes.get(requestId)?.invokedAtMs ?? -Infinity);
    startedAtMs[position] = push ? push.startedAtMs : latest;
  });
  let earliest = Infinity;
  for (let position = commits.length - 1; position >= 0; position--) {
    const push = pushes.get(commits[position]!.id);
    if (!push) earliest = Math.min(earliest, ackedAtMs[position]!);
    visibleAtMs[position] = push ? appliedBy(push, epoch.outages, lagMs) : earliest;
  }
  return { ackedAtMs, startedAtMs, visibleAtMs };
}

function appliedBy({ doneAtMs, isServed }: Push, outages: Epoch['outages'], lagMs: number): number {
  let by = doneAtMs + (isServed ? 0 : lagMs);
  for (const { fromMs, toMs } of outages) if (fromMs <= by && toMs > doneAtMs) by = Math.max(by, toMs + lagMs);
  return by;
}
