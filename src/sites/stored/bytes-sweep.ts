// Looks now and then for media bytes that no commit names, and removes them: uploads of Git LFS that no push followed
// would stay for ever, unseen.
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Warn } from '../../lib/warn.ts';
import type { MediaService } from '../../media/service.ts';
import { isChangeBranch } from '../../store/repository/change-branches/change-branches.ts';
import { findNamedBytes } from '../../store/repository/new-pointers.ts';
import type { Store } from '../../store/store.ts';

export interface BytesSweepParts {
  media: Pick<MediaService, 'sweepBytes' | 'sizeOfBytes'>;
  store: Pick<Store, 'odb' | 'listRefs'> & { log: Pick<Store['log'], 'flush'> };
  info: ((message: string) => void) | undefined;
  warn: Warn;
}

export interface BytesSweep {
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Soon after the start too: a process may not live for an hour. */
const FIRST_LOOK_MS = 60_000;
const LOOK_MS = 3600_000;

export function createBytesSweep({ media, store, info, warn }: BytesSweepParts): BytesSweep {
  const closing = new AbortController();
  const { signal } = closing;
  let looking: Promise<void> | undefined;

  async function findNamed(hashes: ReadonlySet<string>) {
    // What was answered is on the branch then.
    await store.log.flush();
    const refs = store.listRefs();
    const find = (wanted: ReadonlySet<string>, isChange: boolean): Promise<Set<string>> => {
      const tips = refs.filter(({ name }) => isChangeBranch(name) === isChange).map(({ oid }) => oid);
      const { sizeOfBytes: sizeOf } = media;
      return findNamedBytes(wanted, { odb: store.odb, tips, breathe: createBreathe(), signal, sizeOf });
    };
    const lasting = await find(hashes, false);
    const rest = new Set([...hashes].filter((one) => !lasting.has(one)));
    const proposed = rest.size > 0 ? await find(rest, true) : new Set<string>();
    return { lasting, named: new Set([...lasting, ...proposed]) };
  }

  async function run(): Promise<void> {
    const { files, bytes } = await media.sweepBytes(findNamed);
    if (files > 0) info?.(`removed ${files} media files of ${bytes} bytes that no commit has named for a day`);
  }

  function look(): Promise<void> {
    looking ??= run()
      .catch((error: Error) => {
        if (!signal.aborted) warn('media bytes that no commit names cannot be looked for', error);
      })
      .finally(() => (looking = undefined));
    return looking;
  }

  const first = setTimeout(() => void look(), FIRST_LOOK_MS).unref();
  const timer = setInterval(() => void look(), LOOK_MS).unref();

  return {
    look,
    async close() {
      clearTimeout(first);
      clearInterval(timer);
      closing.abort();
      await looking;
    },
  };
}
