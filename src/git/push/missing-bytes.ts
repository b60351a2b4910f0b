// The media that a push names: their bytes, which git-lfs sends before, stay from now on; bytes that did not come are
// said in the push's output, because the files cannot be served, and a git host would not take the commits.
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Oid } from '../../store/git/objects.ts';
import { listNewPointers, type NewPointer } from '../../store/repository/new-pointers.ts';
import type { Odb } from '../../store/repository/odb.ts';
import type { GitSite } from '../git-site.ts';

/** Files that are named; the others are counted. */
const MAX_NAMED = 10;

export async function findPointers(odb: Odb, commits: readonly Oid[]): Promise<NewPointer[]> {
  const breathe = createBreathe();
  const pointers: NewPointer[] = [];
  for (const found of listNewPointers(odb, commits)) {
    if (found) pointers.push(found);
    await breathe();
  }
  return pointers;
}

/** Call it before the commits take effect. Returns lines for the pusher. */
export async function noteNamedBytes(media: GitSite['media'], pointers: readonly NewPointer[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { sha256, path } of pointers) {
    await media.noteNamed(sha256);
    if ((await media.sizeOfBytes(sha256)) === undefined) missing.push(path);
  }
  if (missing.length === 0) return [];
  const lines = missing.slice(0, MAX_NAMED).map((path) => `${path}: its bytes are not here; it cannot be served`);
  if (missing.length > MAX_NAMED) lines.push(`and ${missing.length - MAX_NAMED} more`);
  return [...lines, 'send the bytes with: git lfs push --all origin'];
}
