// Histories made by hand: a tale adds one operation at a time, each with the commit that it should make, and a test
// changes one detail.
import { hash } from 'node:crypto';
import { createChecker } from '../../scripts/soak/check.ts';
import { eventOf } from '../../scripts/soak/effect.ts';
import {
  type Change,
  type Commit,
  type Doc,
  type Epoch,
  type Operation,
  type Outcome,
  type Push,
  placeOf,
  type Read,
  type Rule,
  type Write,
} from '../../scripts/soak/history.ts';
import { digestOf } from '../../scripts/soak/timeline.ts';

/** Milliseconds from one operation to the next, and between request and answer. */
const STEP_MS = 10;
const TAKES_MS = 5;

export interface Recorded {
  operation: Operation;
  commit: Commit;
}

export interface Tale extends Epoch {
  operations: Operation[];
  commits: Commit[];
  pushes: Push[];
  outages: { fromMs: number; toMs: number }[];
  looks: Epoch['looks'][number][];
  /** Adds an operation and its commit, as they should be. */
  write(action: Write, times?: { invokedAtMs?: number; completedAtMs?: number }): Recorded;
  read(
    action: Read,
    seen: { place: string; doc: Doc; blob: string | undefined }[],
    times?: { invokedAtMs?: number },
  ): Operation;
  push(place: string, data: Record<string, unknown>): Commit;
  /** Adds an operation without a commit. */
  attempt(action: Write | Read, outcome: Outcome, times?: { invokedAtMs?: number; completedAtMs?: number }): Operation;
  /** The document as the last commit left it. */
  at(place: string): { place: string; doc: Doc; blob: string };
  nowMs(): number;
}

export function startTale(): Tale {
  const documents = new Map<string, { doc: Doc; blob: string }>();
  const gone = new Map<string, Doc>();
  const operations: Operation[] = [];
  const commits: Commit[] = [];
  const pushes: Push[] = [];
  let clockMs = 0;
  let count = 0;

  function commit(requestId: string, event: string, documentId: string, changes: Change[]): Commit {
    const changeId = requestId && `change-${requestId}`;
    const made = { id: `commit-${++count}`, changeId, requestId, event, documentId, fields: '', changes };
    commits.push(made);
    for (const { place, doc, blob } of changes) {
      if (doc && blob) documents.set(place, { doc, blob });
      else {
        const was = documents.get(place)?.doc;
        if (was) gone.set(place, was);
        documents.delete(place);
      }
    }
    return made;
  }

  function operate(
    action: Write | Read,
    outcome: Outcome,
    times: { invokedAtMs?: number; completedAtMs?: number } = {},
  ) {
    clockMs += STEP_MS;
    const { invokedAtMs = clockMs, completedAtMs = (times.invokedAtMs ?? clockMs) + TAKES_MS } = times;
    const operation: Operation = { id: `r${operations.length}`, action, outcome, invokedAtMs, completedAtMs };
    operations.push(operation);
    return operation;
  }

  const tale: Tale = {
    base: 'base',
    operations,
    commits,
    pushes,
    beside: [],
    outages: [],
    looks: [],
    nowMs: () => clockMs,
    at: (place) => ({ place, ...documents.get(place)! }),
    attempt: operate,
    write(action, times) {
      const outcome: Outcome & { kind: 'ok' } = { kind: 'ok' };
      const operation = operate(action, outcome, times);
      const from =
        action.slug === undefined ? undefined : documents.get(placeOf({ ...action, slug: action.slug }))?.doc;
      const last = gone.get(placeOf({ ...action, slug: action.slug ?? '' }));
      const doc = apply(action, from ?? last, `2026-01-01T00:00:00.${String(count).padStart(3, '0')}Z`, operation.id);
      const changes: Change[] = [];
      if (from && from.slug !== doc?.slug) changes.push({ place: placeOf(from) });
      if (doc) changes.push({ place: placeOf(doc), doc, blob: blobOf(doc) });
      const made = commit(operation.id, eventOf(action, from), (doc ?? from)!.id, changes);
      outcome.commit = made.id;
      if (doc) outcome.blob = blobOf(doc);
      return { operation, commit: made };
    },
    read(action, seen, times) {
      return operate(
        action,
        {
          kind: 'ok',
          seen: seen.map(({ place, doc, blob }) => ({ place, ...(blob ? { blob } : {}), digest: digestOf(doc) })),
        },
        times,
      );
    },
    push(place, data) {
      clockMs += STEP_MS;
      const found = documents.get(place)?.doc;
      const [collection = '', slug = ''] = place.split('/');
      const at = '2026-01-01T00:00:00.000Z';
      const blank = { id: 'Theirs000000', slug, collection, status: 'draft', createdAt: at, updatedAt: at };
      const doc: Doc = { ...(found ?? blank), data: { ...found?.data, ...data } };
      const onto = commits.at(-1)?.id ?? 'base';
      const made = commit('', '', '', [{ place, doc, blob: blobOf(doc) }]);
      pushes.push({
        commit: made.id,
        onto,
        files: [{ place, blob: blobOf(doc) }],
        startedAtMs: clockMs,
        doneAtMs: clockMs + TAKES_MS,
      });
      return made;
    },
  };
  return tale;
}

/** The rules that an epoch breaks, each once. */
export function broken(epoch: Epoch): Rule[] {
  const violations = createChecker().check(epoch);
  return [...new Set(violations.map(({ rule }) => rule))].sort();
}

export function blobOf(doc: Doc): string {
  return hash('sha1', JSON.stringify(doc));
}

function apply(action: Write, before: Doc | undefined, at: string, operation: string): Doc | undefined {
  switch (action.kind) {
    case 'create': {
      const { collection, slug = `made-${operation}`, status = 'draft', data } = action;
      return { id: `Id${operation}`, slug, collection, status, createdAt: at, updatedAt: at, data };
    }
    case 'update': {
      const { to = before!.slug, status = before!.status, data } = action;
      return { ...before!, slug: to, status, updatedAt: at, data: { ...before!.data, ...data } };
    }
    case 'restore':
      return { ...before!, updatedAt: at };
    case 'lock':
      return { ...before!, _fieldMeta: { ...before!._fieldMeta, [action.field]: { reason: action.reason } } };
    case 'unlock': {
      const { [action.field]: _, ...rest } = before!._fieldMeta ?? {};
      const { _fieldMeta: __, ...doc } = before!;
      return Object.keys(rest).length ? { ...doc, _fieldMeta: rest } : (doc as Doc);
    }
    case 'delete':
      return undefined;
  }
}

// The document of most tales.

export const HELLO = { collection: 'posts', slug: 'hello' } as const;

export function create(tale: Tale, slug = 'hello', data: Record<string, unknown> = { title: 'Hello' }): Recorded {
  return tale.write({ kind: 'create', collection: 'posts', slug, data });
}

export function patch(
  tale: Tale,
  data: Record<string, unknown>,
  times?: { invokedAtMs?: number; completedAtMs?: number },
): Recorded {
  return tale.write({ kind: 'update', ...HELLO, data }, times);
}

export const get = (tale: Tale, times?: { invokedAtMs?: number }) =>
  tale.read({ kind: 'get', ...HELLO }, [tale.at('posts/hello')], times);

/** Puts another document into the commit instead of its own. */
export function replace(commit: Commit, change: (doc: Doc) => Doc): void {
  const [first] = commit.changes;
  const doc = change(first!.doc!);
  commit.changes = [{ place: first!.place, doc, blob: blobOf(doc) }];
}

/** Makes the recorded answer name the present blob of the commit. */
export function answerAsIs({ operation, commit }: Recorded): void {
  if (operation.outcome.kind === 'ok') operation.outcome.blob = commit.changes[0]!.blob!;
}
