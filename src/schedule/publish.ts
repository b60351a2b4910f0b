// Publishes and withdraws the due documents of a site, through the same door as all other changes: one commit each. It
// works in slices, so that five thousand documents that are due at once hold up no request.
import type { Actor } from '../access/principal.ts';
import type { ContentService } from '../content/api.ts';
import type { DueTimes } from '../content/rows/due-times.ts';
import type { Row } from '../content/rows/row.ts';
import { type Problem, ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import { reasonOf } from './report.ts';

export interface DueSite {
  content: Pick<ContentService, 'applyDue'>;
  due: Pick<DueTimes, 'due'> & { ready: Promise<void> };
  /** Aborted when the site closes. */
  closing: AbortSignal;
}

export interface PublishParts {
  site: DueSite;
  /** The actor of the changes. */
  actor: Actor;
  now(): Date;
  logger: Pick<Logger, 'error'>;
}

export interface Published {
  published: number;
  unpublished: number;
  errors: string[];
  /** What was published and points to nothing that readers can see. */
  warnings?: string[];
}

/** Changes that share a sync of the write-ahead log; with four times as many, other writes take three times as long. */
const PARALLEL = 16;
/** After so long other work gets its turn. */
const SLICE_MS = 4;
/** Callers of the heartbeat give up after a minute at the latest; the next heartbeat continues. */
const PASS_MS = 30_000;
const MAX_ERRORS = 20;
/** Readers of the calendar do not see the process log. */
const UNEXPECTED = 'an unexpected error, which is in the log of the service';
const MAX_WARNINGS = 20;

export interface DuePublisher {
  /** Do not call it again before it has resolved. */
  publish(): Promise<Published>;
  /** Why a row that is due has not been changed; undefined if that was not tried yet. */
  reasonFor(row: Row): string | undefined;
}

export function createDuePublisher({ site, actor, now, logger }: PublishParts): DuePublisher {
  /** A refused row stays refused: when the document changes, it gets a new row. */
  const refused = new WeakMap<Row, string>();
  /** Rows at which a bug was met, which are tried again. */
  const failed = new WeakSet<Row>();
  /** Why the last pass ended before its time: the site refuses all writes. */
  let lastStopped: string | undefined;

  async function publish(): Promise<Published> {
    await untilReady(site);
    const done: Published = { published: 0, unpublished: 0, errors: [] };
    const running = new Set<Promise<void>>();
    const started = performance.now();
    const breathe = createBreathe(SLICE_MS);
    /** Why the site refuses all writes; then no further document is tried. */
    let stopped: string | undefined;
    let failures = 0;

    function note(row: Row, error: unknown): void {
      if (error instanceof ServiceError && error.status >= 500) {
        stopped ??= error.message;
        return;
      }
      const reason = reasonOf(error);
      if (error instanceof ServiceError) refused.set(row, reason);
      else {
        failed.add(row);
        logger.error({ err: error, collection: row.collection, slug: row.slug }, 'a scheduled change failed');
      }
      if (++failures <= MAX_ERRORS) done.errors.push(`${row.collection}/${row.slug}: ${reason}`);
    }

    function warnOf({ collection, slug }: Row, found: readonly Problem[]): void {
      for (const { path, message } of found) {
        done.warnings ??= [];
        if (done.warnings.length < MAX_WARNINGS) done.warnings.push(`${collection}/${slug}: ${path} ${message}`);
      }
    }

    async function apply(row: Row): Promise<void> {
      try {
        const times = row.publishAt !== undefined && row.unpublishAt !== undefined ? 2 : 1;
        for (let step = 0; step < times; step++) {
          const outcome = await site.content.applyDue(row.collection, row.id, actor, (found) => warnOf(row, found));
          if (!outcome) return;
          done[outcome]++;
        }
      } catch (error) {
        note(row, error);
      }
    }

    for (const row of site.due.due(now())) {
      if (stopped !== undefined || site.closing.aborted || performance.now() - started > PASS_MS) break;
      const reason = refused.get(row);
      if (reason !== undefined) {
        if (++failures <= MAX_ERRORS) done.errors.push(`${row.collection}/${row.slug}: ${reason}`);
        continue;
      }
      while (running.size >= PARALLEL) await Promise.race(running);
      const pause = breathe();
      if (pause) await pause;
      const one = apply(row).finally(() => running.delete(one));
      running.add(one);
    }
    await Promise.all(running);
    lastStopped = stopped;
    if (stopped !== undefined) done.errors.push(stopped);
    if (failures > MAX_ERRORS) done.errors.push(`and ${failures - MAX_ERRORS} more documents`);
    return { ...done, errors: done.errors.map((error) => `published: ${error}`) };
  }

  return { publish, reasonFor: (row) => refused.get(row) ?? (failed.has(row) ? UNEXPECTED : lastStopped) };
}

/** Waits until the site's scheduled times are loaded, which a start does in quiet moments, or the site closes. */
export async function untilReady({ due, closing }: DueSite): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const onClosing = (): void => closed.resolve();
  closing.addEventListener('abort', onClosing);
  try {
    if (!closing.aborted) await Promise.race([due.ready, closed.promise]);
  } finally {
    closing.removeEventListener('abort', onClosing);
  }
}
