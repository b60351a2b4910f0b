// Brings durable commits into git: a pack, then the branch, then the packs that the new one replaces. Knows which
// directories the packer has replicas of. Must not touch the write-ahead log: a commit that is published twice, or packed
// and never published, is harmless.
import path from 'node:path';
import type { Disk } from './disk.ts';
import type { LogEntry } from './entry.ts';
import type { Oid } from './objects.ts';
import type { Odb } from './odb.ts';
import { type PackBatch, type PackResult, releasePack, removePacks } from './packer.ts';
import type { AsyncPacker } from './packer-thread.ts';
import type { Branch } from './refs.ts';
import type { TreeSetResult } from './tree-set.ts';

export interface Publishable {
  entry: LogEntry;
  result: TreeSetResult;
}

export interface Publisher {
  /**
   * `changed`: the branch is not at `from`. `locked`: somebody holds it; called again with the same batch only the
   * branch is tried. `bases` answers the contents of directories before the batch. `isLogged`: the commits are those of
   * the write-ahead log.
   */
  publish(
    batch: readonly Publishable[],
    from: Oid | null,
    bases: (directories: ReadonlySet<string>) => PackBatch['bases'],
    isLogged?: boolean,
  ): Promise<'moved' | 'changed' | 'locked'>;
  /** The commits have become others (replanted), or the packer is in an unknown state. */
  forget(): void;
}

export interface PublisherParts {
  disk: Disk;
  repository: string;
  branch: Branch;
  odb: Odb;
  packer: AsyncPacker;
}

export function createPublisher({ disk, repository, branch, odb, packer }: PublisherParts): Publisher {
  const folder = path.join(repository, 'objects', 'pack');
  let announced = new Set<string>();
  /** Packed, and not under the branch yet. */
  let packed: { head: Oid; result: PackResult } | undefined;

  function forget(): void {
    packer.reset();
    announced = new Set();
    if (packed) releasePack(disk, folder, packed.result.name);
    packed = undefined;
  }

  async function pack(
    batch: readonly Publishable[],
    bases: (directories: ReadonlySet<string>) => PackBatch['bases'],
  ): Promise<PackResult> {
    const unknown = new Set<string>();
    for (const { result } of batch) {
      for (const { path: directory } of result.trees) if (!announced.has(directory)) unknown.add(directory);
    }
    for (const directory of unknown) announced.add(directory);
    try {
      return await packer.pack({
        bases: unknown.size ? bases(unknown) : [],
        commits: batch.map(({ entry, result: { blobs, trees } }) => ({
          oid: entry.commit,
          body: entry.body,
          blobs,
          trees,
        })),
      });
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** `git repack -ad` drops what no ref reaches: our pack too, where it looked before the branch moved. */
  function isGone({ head, result }: { head: Oid; result: PackResult }): boolean {
    if (disk.stat(path.join(folder, `${result.name}.idx`))) return false;
    odb.refresh();
    return !odb.has(head);
  }

  return {
    async publish(batch, from, bases, isLogged = true) {
      const head = batch.at(-1)!.entry.commit;
      if (packed?.head !== head) packed = { head, result: await pack(batch, bases) };
      const outcome = branch.move(from, head, { isLogged });
      if (outcome !== 'moved') return outcome;
      const { result } = packed;
      if (isGone(packed)) {
        forget();
        // An error with a code might be tried again, and the branch is ours already: it would look like somebody else's.
        const again = await pack(batch, bases).catch((cause: unknown) => {
          throw new Error('branch was moved, and its commits cannot be packed again', { cause });
        });
        releasePack(disk, folder, again.name);
      } else {
        releasePack(disk, folder, result.name);
        if (result.replaces) removePacks(disk, folder, [result.replaces]);
      }
      packed = undefined;
      return 'moved';
    },
    forget,
  };
}
