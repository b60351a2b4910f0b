// What the soak test records: each client's requests and answers, what git holds, and what others did to the
// repository. Times come from one monotonic clock, the driver's, in milliseconds.

/** A document as stored in its file. */
export interface Doc {
  id: string;
  slug: string;
  collection: string;
  status: string;
  createdAt: string;
  updatedAt: string;
  data: Record<string, unknown>;
  _fieldMeta?: Record<string, Record<string, unknown>>;
  [key: string]: unknown;
}

/** `posts/hello`. */
export type Place = string;

export function placeOf({ collection, slug }: { collection: string; slug: string }): Place {
  return `${collection}/${slug}`;
}

export type Write =
  | {
      kind: 'create';
      collection: string;
      /** If absent, the service makes one. */
      slug?: string;
      status?: string;
      data: Record<string, unknown>;
      /** Idempotency-Key: of all operations that carry it, one makes a commit. */
      key?: string;
      /** ISO 8601. */
      publishAt?: string;
      unpublishAt?: string;
    }
  | {
      kind: 'update';
      collection: string;
      slug: string;
      /** A rename. */
      to?: string;
      status?: string;
      data?: Record<string, unknown>;
      /** A blob id. */
      ifMatch?: string;
    }
  | { kind: 'delete'; collection: string; slug: string; ifMatch?: string }
  /** The last state of a deleted document; `commit` is the deletion. */
  | { kind: 'restore'; collection: string; slug: string; commit: string }
  | { kind: 'lock'; collection: string; slug: string; field: string; reason: string }
  | { kind: 'unlock'; collection: string; slug: string; field: string };

export type Read =
  | { kind: 'get'; collection: string; slug: string }
  /** `isWhole`: without a limit, so that a document missing from the answer does not exist. */
  | { kind: 'list'; collection: string; status?: string; isWhole: boolean }
  /** A word that one write put into one document, which may have been renamed, changed or deleted since. */
  | { kind: 'search'; collection: string; slug: string; word: string };

export type Action = Write | Read;

/** One document in the answer to a read. */
export interface Seen {
  place: Place;
  /** From the entity tag. */
  blob?: string;
  /** Digest of the document as it was shown (`digestOf`). */
  digest?: string;
  /** The document itself, if a replay on an external change may have given it other bytes since. */
  doc?: Doc;
}

export type Outcome =
  | { kind: 'ok'; blob?: string; commit?: string; isReplayed?: boolean; seen?: readonly Seen[] }
  /** Answered with 4xx or 5xx. */
  | { kind: 'refused'; status: number; retryAfter?: string }
  /** No process accepted the connection. */
  | { kind: 'unsent' }
  /** The connection broke, the client gave up, or the service answered that the outcome is unknown (`status`). */
  | { kind: 'unknown'; isTimeout?: boolean; status?: number };

export interface Operation {
  /** X-Request-Id. */
  id: string;
  action: Action;
  invokedAtMs: number;
  /** When it was answered, or the client learned that it would not be. */
  completedAtMs: number;
  outcome: Outcome;
}

/** What a commit did to one document; `doc` and `blob` are absent if it is gone. */
export interface Change {
  place: Place;
  doc?: Doc;
  blob?: string;
}

export interface Commit {
  id: string;
  /** Empty for external commits. */
  changeId: string;
  requestId: string;
  event: string;
  documentId: string;
  fields: string;
  changes: readonly Change[];
}

/** A commit that others put on the branch. */
export interface Push {
  commit: string;
  /** The commit that the branch was moved from, which need not be a merge's first parent. */
  onto: string;
  /** Everything that it changes. */
  files: readonly { place: Place; blob: string }[];
  startedAtMs: number;
  doneAtMs: number;
  /** Pushed through the service, which shows it before it answers; otherwise it is shown within the lag. */
  isServed?: boolean;
}

/** A clone, or a look at the branch. */
export interface Look {
  head: string;
  startedAtMs: number;
  /** From the service, which returns everything answered before; otherwise git may be behind by the lag. */
  isServed?: boolean;
  /** Since when the service has been serving, and the branch has not been held. */
  upSinceMs: number;
}

/** A clone that git could not make. */
export interface FailedClone {
  message: string;
  isServed: boolean;
  /** Since when the service had been clear (see Look) as it began; infinite while it was not. */
  upSinceMs: number;
  /** The same when it had failed. */
  stillUpSinceMs: number;
}

/** An entry of the change feed as a follower received it, in order. */
export interface FeedEntry {
  commit: string;
  /** For external commits the commit's id. */
  changeId: string;
  event: string;
  place: Place;
  /** The change's commit before it was replayed. */
  replaces?: string;
}

/** What happened between two quiet moments. */
export interface Epoch {
  /** The branch's commit at the first of them. */
  base: string;
  operations: readonly Operation[];
  /** The line that the branch went along, oldest first. */
  commits: readonly Commit[];
  /** Commits that the branch has in addition, through external merges. */
  beside: readonly { id: string; changeId: string }[];
  pushes: readonly Push[];
  looks: readonly Look[];
  failedClones?: readonly FailedClone[];
  /** From a follower that is never away for long; undefined if there is no follower. */
  feed?: readonly FeedEntry[];
  /** Commits that the follower received and that the feed later no longer knew. */
  forgotten?: readonly string[];
  /** Documents that the service publishes and withdraws by itself, when they are due. */
  due?: ReadonlySet<Place>;
  /** When the service was not serving (from the signal to the ready line), or could not write. */
  outages: readonly { fromMs: number; toMs: number }[];
}

export type Rule =
  | 'lost'
  | 'doubled'
  | 'order'
  | 'refused-in-log'
  | 'from-nowhere'
  | 'half'
  | 'lost-key'
  | 'wrong-effect'
  | 'if-match'
  | 'wrong-answer'
  | 'stale'
  | 'future'
  | 'missing-in-list'
  | 'torn-list'
  | 'not-found-by-search'
  | 'unjustified-refusal'
  | 'failure'
  | 'others-lost'
  | 'late-in-git'
  | 'git'
  | 'feed'
  | 'webhooks'
  | 'repeated-key'
  | 'branch-lock'
  | 'due'
  | 'second-process'
  | 'stalled-disk'
  | 'slope';

export interface Violation {
  rule: Rule;
  message: string;
  /** The operations and commits that it concerns, by id. */
  about: string[];
}
