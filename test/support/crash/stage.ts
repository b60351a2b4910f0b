// The stage of a scenario: a store on a disk in memory, and a record of all promises, kept among the disk's own events
// so that each point knows the promises up to it.

import type { Disk } from '../../../src/store/disk/disk.ts';
import type { Draft } from '../../../src/store/log/log.ts';
import { createInlinePacker } from '../../../src/store/packs/packer-thread.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/store.ts';
import { createMemoryDisk, type MemoryDisk } from '../memory-disk.ts';
import { type Call, type CallFault, createMemoryFiles, type MemoryFiles } from '../memory-files.ts';
import type { Random } from '../random.ts';
import type { StoppedTime } from '../stopped-time.ts';
import { append } from '../store-world.ts';
import { createHost, type Host, type HostState } from './host.ts';

export const FOLDER = '/data/site';
export const REPOSITORY = `${FOLDER}/content.git`;
const SEGMENT_BYTES = 3000;

export type Files = Record<string, string | null>;

/** A promise, or an external event. */
export type Note =
  | { kind: 'submitted'; changeId: string; files: Files }
  | { kind: 'acknowledged'; changeId: string }
  | { kind: 'refused'; changeId: string }
  /** An external commit goes onto the branch; from `stands` on it must stay there. */
  | { kind: 'outside'; commit: string; files: Files; isPushed?: boolean }
  | { kind: 'stands'; commit: string }
  /** The host's branch is now at this state. */
  | { kind: 'host'; state: HostState }
  /** An external update removed these changes from the branch. */
  | { kind: 'dropped'; changeIds: string[] }
  /** The branch was found moved away: it stays so until one side is chosen, and the commit is kept. */
  | { kind: 'away'; commit: string }
  /** An external update removed this commit of ours from the remote: it stays on the branch, or under a ref. */
  | { kind: 'kept'; commit: string }
  /** A tag of ours is about to be made or removed, or that was answered. */
  | { kind: 'tag'; name: string; commit: string | null; isAnswered: boolean }
  /** Locks may remain that an operator has to remove. */
  | { kind: 'operator' }
  /** A side is about to be chosen after a force-push, or was chosen. */
  | { kind: 'choosing'; keep: 'ours' | 'theirs' }
  | { kind: 'chosen'; keep: 'ours' | 'theirs' };

export interface Stage {
  readonly random: Random;
  readonly time: StoppedTime;
  readonly files: MemoryFiles;
  readonly disk: MemoryDisk;
  readonly store: Store;
  /** Opens a remote; without a state an empty one. Its commits are noted. */
  openHost(state?: HostState): Host;
  readonly host: Host | undefined;
  /** Starts a process on the present state of the disk. */
  open(): void;
  /** Passes a change to the log without waiting; resolves when it has been answered. */
  submit(files: Files, message?: Pick<Draft, 'subject' | 'trailers'>): Promise<void>;
  /** The same, but waits for the answer. */
  change(files: Files): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
  /** SIGKILL: nothing is lost, and nothing becomes durable because of it. */
  kill(): void;
  failing(which: (call: Call) => CallFault | undefined): void;
  note(note: Note): void;
  /** True if locks may remain that are not the store's. */
  hasOperator: boolean;
}

export function openOn(disk: Disk, options: Partial<StoreOptions> = {}): Store {
  return openStore({
    folder: FOLDER,
    disk,
    packer: createInlinePacker(disk, `${REPOSITORY}/objects/pack`),
    pollMs: 0,
    walSegmentBytes: SEGMENT_BYTES,
    ...options,
  });
}

/** After a force-push one side has to be chosen. */
export async function chooseIfMoved(store: Store, keep: 'ours' | 'theirs', time: StoppedTime): Promise<boolean> {
  store.log.poll();
  const { moved } = store.log.status();
  if (moved) await time.until(store.log.choose(keep));
  return moved !== undefined;
}

/** An operator removes what another program's crash left; our own locks must be gone by then. */
export function removeForeignLock(disk: MemoryDisk, hasOperator: boolean): void {
  if (hasOperator) disk.remove(`${REPOSITORY}/refs/heads/main.lock`);
}

export function createStage(
  random: Random,
  time: StoppedTime,
  start: MemoryFiles = createMemoryFiles(),
  prepare: (files: MemoryFiles) => void = () => undefined,
): Stage {
  let files = start;
  prepare(files);
  let disk = createMemoryDisk(undefined, files);
  let opened: Store | undefined;
  let host: Host | undefined;
  const note = (one: Note): void => files.note(one);

  function store(): Store {
    if (!opened) throw new Error('scenario has no process');
    return opened;
  }

  function submit(changed: Files, message?: Pick<Draft, 'subject' | 'trailers'>): Promise<void> {
    let appended: ReturnType<typeof append>;
    try {
      appended = append(store(), changed, message);
    } catch (error) {
      if ((error as { code?: string }).code === undefined) throw error;
      return Promise.resolve();
    }
    const { changeId, durable } = appended;
    const ofProcess = files;
    note({ kind: 'submitted', changeId, files: changed });
    return durable.then(
      () => ofProcess.note({ kind: 'acknowledged', changeId } satisfies Note),
      () => ofProcess.note({ kind: 'refused', changeId } satisfies Note),
    );
  }

  return {
    random,
    time,
    get files() {
      return files;
    },
    get disk() {
      return disk;
    },
    get store() {
      return store();
    },
    hasOperator: false,
    openHost(state) {
      const made = createHost(state, (moved) => note({ kind: 'host', state: moved }));
      note({ kind: 'host', state: made.state });
      host = {
        ...made,
        get state() {
          return made.state;
        },
        async commit(changed, on) {
          const commit = await time.until(made.commit(changed, on));
          note({ kind: 'outside', commit, files: changed });
          note({ kind: 'host', state: made.state });
          return commit;
        },
      };
      return host;
    },
    get host() {
      return host;
    },
    open() {
      opened = openOn(disk);
      removeForeignLock(disk, this.hasOperator);
    },
    submit,
    change: (changed) => time.until(submit(changed)),
    flush: () => time.until(store().log.flush()),
    async close() {
      const closing = store();
      opened = undefined;
      await time.until(closing.close());
    },
    kill() {
      opened = undefined;
      const before = files;
      before.stop(new Error('killed'));
      files = createMemoryFiles(before.base, before.events);
      files.onCall = before.onCall;
      prepare(files);
      disk = createMemoryDisk(undefined, files);
    },
    failing: (which) => void (files.onCall = which),
    note,
  };
}
