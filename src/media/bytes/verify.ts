// Verifies media: reads the bytes of every pointer, and checks them against its hash and size.
import type { MediaEntry } from '../media.ts';

export interface MediaReport {
  /** Bytes that are missing, or do not have the hash that is their name. */
  problems: string[];
  /** Pointers with a wrong size, as only a push can make them. */
  warnings: string[];
}

export interface VerifyMediaParts {
  files: Iterable<MediaEntry>;
  sizeOf(sha256: string): Promise<number | undefined>;
  /** Computes the hash of the bytes stored under this one. */
  hashOf(sha256: string): Promise<string>;
  onProgress(done: number): void;
  /** Checked between files. */
  signal?: AbortSignal | undefined;
}

/** Reads the same bytes once, however many files have them. */
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
    if (hash !== sha256) report.problems.push(`${path}: its bytes are damaged: their hash is not ${sha256}`);
    else if (found !== sizeBytes)
      report.warnings.push(`${path}: the pointer says ${sizeBytes} bytes, but there are ${found}`);
  }
  return report;
}
