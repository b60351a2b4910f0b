// Media held against what the repository says: the index against the pointers, and every byte against its hash.
import type { MediaEntry } from '../media.ts';

export interface MediaReport {
  /** Bytes that are missing, or are not those of their name. */
  problems: string[];
  /** Pointers that say another size than the bytes have: somebody pushed them so. */
  warnings: string[];
}

export interface VerifyMediaParts {
  files: Iterable<MediaEntry>;
  sizeOf(sha256: string): Promise<number | undefined>;
  /** The hash of the bytes that are kept under this one. */
  hashOf(sha256: string): Promise<string>;
  onProgress(done: number): void;
  /** Asked between two files. */
  signal?: AbortSignal | undefined;
}

/** Reads everything once, whatever the number of files that have it. */
export async function verifyMedia({
  files,
  sizeOf,
  hashOf,
  onProgress,
  signal,
}: VerifyMediaParts): Promise<MediaReport> {
  const report: MediaReport = { problems: [], warnings: [] };
  const hashes = new Map<string, string>();
  let done = 0;
  for (const { path, sha256, sizeBytes } of files) {
    signal?.throwIfAborted();
    onProgress(done++);
    const found = await sizeOf(sha256);
    if (found === undefined) {
      report.problems.push(`${path}: its bytes are missing: there is no ${sha256}`);
      continue;
    }
    const hash = hashes.get(sha256) ?? (await hashOf(sha256));
    hashes.set(sha256, hash);
    if (hash !== sha256) report.problems.push(`${path}: its bytes are damaged: they are not those of ${sha256}`);
    else if (found !== sizeBytes) report.warnings.push(`${path}: says ${sizeBytes} bytes, and has ${found}`);
  }
  return report;
}
