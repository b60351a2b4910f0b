// Commits in the service's name that come from elsewhere, for example from a clone that has more than the repository.
// What such a commit says of its documents is believed (follow.ts), so it has to be what it does.
import { DOCUMENT_FILE_BYTES } from '../content/stored.ts';
import { createBreathe } from '../lib/slices.ts';
import { metaPath, pointerPath } from '../media/stored.ts';
import type { Oid, Person } from '../store/objects.ts';
import type { Odb } from '../store/odb.ts';
import { diffTrees } from '../store/tree-walk.ts';
import { readRecord } from './commit-record.ts';
import { ownMedia } from './media-changes.ts';
import { readWritten, type TreeReadParts } from './tree-changes.ts';

export interface FalseClaim {
  commit: Oid;
  path: '';
  message: string;
}

const FALSE = 'says of itself that the service made it, and changes other files than it says; commit as yourself';
/** More are not told: whoever reads this starts with the first ones. */
const MAX_TOLD = 50;

/** `isKnown` says of a commit that it is in the repository already: then the service may well have made it. */
export async function findFalseClaims(
  odb: Odb,
  committer: Person,
  commits: Iterable<Oid>,
  isKnown: (commit: Oid) => boolean,
): Promise<FalseClaim[]> {
  const breathe = createBreathe();
  const parts: TreeReadParts = { odb, breathe, readBlob: (oid) => odb.get(oid, 'blob', DOCUMENT_FILE_BYTES) };
  const found: FalseClaim[] = [];
  for (const commit of commits) {
    if (found.length === MAX_TOLD) break;
    await breathe();
    const { tree, parents, own } = readRecord(odb.get(commit, 'commit'), committer);
    const media = ownMedia(own);
    if (!(own?.documents || media) || isKnown(commit)) continue;
    const [parent] = parents;
    const before = parent ? readRecord(odb.get(parent, 'commit'), committer).tree : null;
    if (media) {
      if (parents.length < 2 && (await isOfOneFile(odb, before, tree, media.slug))) continue;
      found.push({ commit, path: '', message: FALSE });
      continue;
    }
    const written = await readWritten(parts, before, tree);
    const removed = await readWritten(parts, tree, before);
    const { id, also } = own!.documents!;
    const claimed = new Set([id, ...also]);
    const isDeletion = own!.event === 'document.deleted';
    const isSo =
      parents.length < 2 &&
      claimed.size === new Set([...written.keys(), ...removed.keys()]).size &&
      [...claimed].every((one) =>
        isDeletion && one === id ? !written.has(one) && removed.has(one) : written.has(one),
      );
    if (isSo) continue;
    found.push({ commit, path: '', message: FALSE });
  }
  return found;
}

/** Whether nothing else differs. */
async function isOfOneFile(odb: Odb, before: Oid | null, after: Oid, slug: string): Promise<boolean> {
  for (const { path } of diffTrees(odb, before, after)) {
    if (path !== pointerPath(slug) && path !== metaPath(slug)) return false;
  }
  return true;
}
