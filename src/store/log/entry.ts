// One accepted change on its way into git, and its bytes in the write-ahead log.
import type { Oid } from '../git/objects.ts';
import type { FileChange } from './tree-set.ts';

export interface LogEntry {
  commit: Oid;
  /** The commit object's body. */
  body: Buffer;
  files: FileChange[];
  /**
   * What the change was answered with, if that is none of its files: a replay has given it others, or the answer is of
   * many. It goes into the repository with the change, so that a repeated request still gets its first answer.
   */
  kept?: readonly Buffer[];
}

/**
 * A batch: u32 count, then per entry u32 header length, JSON header, commit body, contents of the written files,
 * contents of the kept files.
 */
export function encodeEntries(entries: readonly LogEntry[]): Buffer {
  const parts: Buffer[] = [];
  const count = Buffer.allocUnsafe(4);
  count.writeUInt32BE(entries.length, 0);
  parts.push(count);
  for (const { commit, body, files, kept } of entries) {
    const header = Buffer.from(
      JSON.stringify({
        commit,
        body: body.length,
        files: files.map(({ path, content }) => [path, content ? content.length : -1]),
        ...(kept && { kept: kept.map(({ length }) => length) }),
      }),
    );
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(header.length, 0);
    parts.push(length, header, body);
    for (const { content } of files) if (content) parts.push(content);
    parts.push(...(kept ?? []));
  }
  return Buffer.concat(parts);
}

export function decodeEntries(bytes: Buffer): LogEntry[] {
  let at = 0;
  const next = (length: number): Buffer => bytes.subarray(at, (at += length));
  const entries: LogEntry[] = [];
  for (let count = next(4).readUInt32BE(0); count > 0; count--) {
    const header = JSON.parse(next(next(4).readUInt32BE(0)).toString('utf8')) as {
      commit: Oid;
      body: number;
      files: [string, number][];
      kept?: number[];
    };
    const body = next(header.body);
    const files = header.files.map(([path, length]) => ({ path, content: length < 0 ? null : next(length) }));
    const kept = header.kept?.map(next);
    entries.push({ commit: header.commit, body, files, ...(kept && { kept }) });
  }
  return entries;
}
