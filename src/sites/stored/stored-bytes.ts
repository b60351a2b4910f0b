// How much a site has on the disk, and whether it may have more: all files of its folder count (the repository, media,
// submissions, backups, builds) but the write-ahead log. They are measured now and then; in between what is stored is added, so that no request
// walks through folders.
import { sizeOf } from '../../git/repository/size.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Warn } from '../../lib/warn.ts';

export interface StoredBytes {
  /** As far as known, and the quota; null without one. */
  read(): { bytes: number; quotaBytes: number | null };
  /** @throws ServiceError `quota_exceeded` if the site has its quota, or would with so many bytes more */
  check(moreBytes: number): void;
  /** Notes what was stored. */
  add(bytes: number): void;
  /**
   * Checks and notes at once what is about to be stored, so that writes under way count for each other. Returns the
   * function that gives it back if nothing was stored.
   */
  take(bytes: number): () => void;
  /** Something of unknown size was stored: measures as soon as it may. */
  changed(): void;
  /** Measures it now. */
  measure(): Promise<void>;
  close(): Promise<void>;
}

export interface StoredBytesParts {
  /** `<data>/sites/<id>`. */
  folder: string;
  /** Undefined for none. */
  quotaBytes: number | undefined;
  warn: Warn;
  measureMs?: number;
}

/** The write-ahead log has its space in advance. */
const OWN = ['wal'];
const MEASURE_MS = 600_000;
/** A site over its quota is measured again as soon as it asks for space: something may have been deleted. */
const AGAIN_MS = 5_000;
/** A measurement walks through all folders: it takes at most this share of the time. */
const SHARE = 0.02;

export function openStoredBytes({ folder, quotaBytes, warn, measureMs = MEASURE_MS }: StoredBytesParts): StoredBytes {
  let bytes = 0;
  let addedMeanwhile = 0;
  let measuring: Promise<void> | undefined;
  let nextMs = 0;
  let isClosed = false;
  let later: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    const startedMs = performance.now();
    addedMeanwhile = 0;
    const found = await sizeOf(folder, OWN);
    // What was stored while the walk went on may be in it, or not.
    bytes = found + addedMeanwhile;
    const tookMs = performance.now() - startedMs;
    nextMs = performance.now() + Math.max(AGAIN_MS, tookMs / SHARE);
  }

  function measure(): Promise<void> {
    measuring ??= run()
      .catch((error) => warn('how much the site has stored cannot be measured', error))
      .finally(() => (measuring = undefined));
    return measuring;
  }

  function measureSoon(): void {
    if (!isClosed && performance.now() >= nextMs) void measure();
  }

  function check(moreBytes: number): void {
    if (quotaBytes === undefined || (bytes < quotaBytes && bytes + moreBytes <= quotaBytes)) return;
    measureSoon();
    throw new ServiceError(
      'quota_exceeded',
      `the site has ${toSize(bytes)} of its ${toSize(quotaBytes)}, and this would be more; delete submissions or ` +
        'backups that nobody needs, or ask the operator for a larger CMS_SITE_QUOTA',
    );
  }

  function add(more: number): void {
    bytes += more;
    addedMeanwhile += more;
  }

  measureSoon();
  const timer = setInterval(measureSoon, measureMs).unref();

  return {
    read: () => ({ bytes, quotaBytes: quotaBytes ?? null }),
    check,
    add,
    take(more) {
      check(more);
      add(more);
      return () => add(-more);
    },
    changed() {
      if (isClosed || quotaBytes === undefined) return;
      later ??= setTimeout(
        () => {
          later = undefined;
          measureSoon();
        },
        Math.max(0, nextMs - performance.now()),
      ).unref();
    },
    measure,
    async close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(later);
      await measuring;
    },
  };
}

function toSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
