// Which bytes a client may have: those that a file of a shown branch or tag names, now or earlier in its history. What was
// uploaded and never pushed, or removed from history, is not among them.
import { hash } from 'node:crypto';
import { toPointerFile } from '../../lib/lfs-pointer.ts';
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import type { GitSite } from '../git-site.ts';
import type { GitService } from '../http/service.ts';

export interface ShownBytes {
  /** The sizes of those that are here and shown, by their hash. */
  sizesOf(
    site: GitSite,
    oids: Iterable<string>,
    client: { caller: string; signal: AbortSignal },
  ): Promise<Map<string, number>>;
}

/** A batch asks for a hundred objects, and then for each of them. */
const MAX_KNOWN = 10_000;

export function createShownBytes({ findHidden }: Pick<GitService, 'findHidden'>): ShownBytes {
  /** The branches and tags with which the bytes were found, by site and hash. */
  const known = createBoundedMap<string, string>(MAX_KNOWN);

  return {
    async sizesOf(site, oids, client) {
      const sizes = new Map<string, number>();
      const earlier = new Map<string, string>();
      const refs = refsOf(site);
      for (const sha256 of oids) {
        const sizeBytes = await site.media.sizeOfBytes(sha256);
        if (sizeBytes === undefined) continue;
        sizes.set(sha256, sizeBytes);
        if (site.media.isNamed(sha256) || known.get(`${site.id} ${sha256}`) === refs) continue;
        earlier.set(toBlob(toPointerFile({ sha256, sizeBytes })), sha256);
      }
      const hidden = await findHidden(site, earlier.keys(), client);
      for (const [blob, sha256] of earlier) {
        if (hidden.has(blob)) sizes.delete(sha256);
        else known.set(`${site.id} ${sha256}`, refs);
      }
      return sizes;
    },
  };
}

function refsOf({ store }: GitSite): string {
  return hash(
    'sha256',
    store
      .listRefs()
      .map(({ name, oid }) => `${name} ${oid}`)
      .join('\n'),
  );
}

/** The id that git gives the pointer file, which says whether a commit has it. */
function toBlob(pointer: Buffer): string {
  return hash('sha1', Buffer.concat([Buffer.from(`blob ${pointer.length}\0`), pointer]));
}
