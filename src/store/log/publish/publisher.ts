// Brings durable commits into git: writes a pack, moves the branch, then retires the packs that the new one replaces.
// Keeps track of the directories that the packer has replicas of. Must not touch the write-ahead log: a commit that is
// published twice, or packed and never published, is harmless.
import { isCode } from '../../../lib/error-code.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Oid } from '../../git/objects.ts';
import type { PackBatch, PackResult } from '../../packs/packer.ts';
import { type AsyncPacker, PACKER_DIED, type PublishOutcome, type PublishStep } from '../../packs/packer-thread.ts';
import type { RetiredPacks } from '../../packs/retired-packs.ts';
import type { Odb } from '../../repository/odb.ts';
import { settleRefs } from '../../repository/refs.ts';
import type { LogEntry } from '../entry.ts';
import type { TreeSetResult } from '../tree-set.ts';

export interface Publishable {
  entry: LogEntry;
  result: TreeSetResult;
}

export interface Publisher {
  /**
   * `changed`: the branch is not at `from`. `locked`: another process holds its lock; a second call with the same batch
   * only tries the branch again. `bases` returns the contents of directories before the batch. `isLogged`: the commits
   * are those of the write-ahead log.
   */
  publish(
    batch: readonly Publishable[],
    from: Oid | null,
    bases: (directories: ReadonlySet<string>) => PackBatch['bases'],
    isLogged?: boolean,
  ): Promise<'moved' | 'changed' | 'locked'>;
  /** Starts afresh: the commits have become others (replanted), or the state of the packer is unknown. */
  forget(): void;
}

export interface PublisherParts {
  disk: Disk;
  repository: string;
  odb: Odb;
  packer: AsyncPacker;
  /** Removes replaced packs later; without it they stay. */
  retired?: Pick<RetiredPacks, 'retire'> | undefined;
}

export function createPublisher({ disk, repository, odb, packer, retired }: PublisherParts): Publisher {
  let announced = new Set<string>();
  /** Packed, but not on the branch yet. */
  let packed: { head: Oid; result: PackResult } | undefined;
  /** Releases packs that were made for nothing. */
  let releasing: Promise<unknown> = Promise.resolve();

  function forget(): void {
    packer.reset();
    announced = new Set();
    if (packed) {
      releasing = Promise.all([releasing, release(packed.result)]);
      releasing.catch(() => undefined); // reported by the next `publish`
    }
    packed = undefined;
  }

  function release({ name }: PackResult): Promise<void> {
    return packer.work('releasePacks', [name]);
  }

  async function pack(
    batch: readonly Publishable[],
    bases: (directories: ReadonlySet<string>) => PackBatch['bases'],
  ): Promise<PackResult> {
    if (packer.isEmpty()) announced = new Set();
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

  /** If the packer dies, the next look at the branch shows whether it was moved. */
  async function finish(step: PublishStep): Promise<PublishOutcome> {
    try {
      return await packer.finish(step);
    } catch (error) {
      if (isCode(error, PACKER_DIED)) {
        forget();
        // It may have held the branch's lock.
        settleRefs(disk, repository, (commit) => commit === step.to);
      }
      throw error;
    }
  }

  /** The branch is at commits whose pack another process removed. */
  async function packAgain(
    head: Oid,
    gone: PackResult,
    batch: readonly Publishable[],
    bases: (directories: ReadonlySet<string>) => PackBatch['bases'],
  ): Promise<void> {
    odb.refresh();
    if (odb.has(head)) {
      // That process packed the commits again.
      await release(gone);
      retired?.retire(gone.replaces, gone.name);
      return;
    }
    forget();
    // The branch has our commits already: after an error with a code, which might be tried again, they would look
    // external.
    const again = await pack(batch, bases).catch((cause: unknown) => {
      throw new Error('branch was moved, and its commits cannot be packed again', { cause });
    });
    await release(again);
  }

  return {
    async publish(batch, from, bases, isLogged = true) {
      await releasing.finally(() => (releasing = Promise.resolve()));
      const head = batch.at(-1)!.entry.commit;
      if (packed?.head !== head) packed = { head, result: await pack(batch, bases) };
      const { result } = packed;
      const outcome = await finish({ from, to: head, pack: result, isLogged });
      if (outcome === 'locked' || outcome === 'changed') return outcome;
      if (outcome === 'gone') await packAgain(head, result, batch, bases);
      else retired?.retire(result.replaces, result.name);
      packed = undefined;
      return 'moved';
    },
    forget,
  };
}
