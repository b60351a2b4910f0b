// Plans as providers return them.
import type { DeployPlan, PublishedFile } from '../providers/provider.ts';

/** The host has this tree live. */
export function unchangedPlan(total: number, state: unknown): DeployPlan {
  return { total, send: [], sendBytes: 0, isUnchanged: true, state };
}

export function changedPlan(total: number, send: readonly PublishedFile[], state: unknown): DeployPlan {
  const sendBytes = send.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { total, send, sendBytes, isUnchanged: false, state };
}

/** One file for each content: hosts keep a content once, whatever its names are. */
export function filesByHash(
  files: readonly PublishedFile[],
  hashes: ReadonlyMap<string, string>,
): Map<string, PublishedFile> {
  return new Map(files.map((file) => [hashes.get(file.path) ?? '', file]));
}
