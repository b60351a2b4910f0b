// The media that a push names: their bytes, which git-lfs sends before, stay from now on; bytes that did not come are
// said in the push's output, because the files cannot be served, and a git host would not take the commits.
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Oid } from '../../store/git/objects.ts';
import { EVERYWHERE, listNewPointers } from '../../store/repository/new-pointers.ts';
import type { Odb } from '../../store/repository/odb.ts';
import type { GitSite } from '../git-site.ts';

/** Files that are named; the others are counted. */
const MAX_NAMED = 10;

/** Call it before the commits take effect. Returns lines for the pusher; holds no list of the pointers, however many. */
export async function noteNamedBytes(media: GitSite['media'], odb: Odb, commits: readonly Oid[]): Promise<string[]> {
  const breathe = createBreathe();
  const missing: string[] = [];
  let count = 0;
  for (const pointer of listNewPointers(odb, commits, EVERYWHERE)) {
    if (pointer) {
      await media.noteNamed(pointer.sha256);
      const isMissing = (await media.sizeOfBytes(pointer.sha256)) === undefined;
      if (isMissing && ++count <= MAX_NAMED) missing.push(pointer.path);
    }
    await breathe();
  }
  if (missing.length === 0) return [];
  const lines = missing.map((path) => `${path}: its bytes are not here; it cannot be served`);
  if (count > MAX_NAMED) lines.push(`and ${count - MAX_NAMED} more`);
  return [...lines, 'send the bytes with: git lfs push --all origin'];
}
