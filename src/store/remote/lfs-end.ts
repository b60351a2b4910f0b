// The remote's end with Git LFS in front: before a push the bytes that its commits name, after a fetch the bytes that
// its commits bring. Runs beside the end's thread: the bytes stream between disk and network.

import type { RemoteEnd } from './end.ts';
import { quoteHost, RemoteError } from './error.ts';
import type { RemoteLfs } from './lfs.ts';

export function withLfs(end: RemoteEnd, lfs: RemoteLfs, warn: (message: string) => void): RemoteEnd {
  return {
    ...end,
    async fetch(theirs, ours, seen) {
      const relation = await end.fetch(theirs, ours, seen);
      if (theirs === null || relation.behind === 0) return relation;
      const absent = await lfs.bring(await end.listPointers(ours, theirs));
      if (absent.length > 0) warn(`remote: the host lacks the bytes of ${toNames(absent)}; they cannot be served`);
      return relation;
    },
    async push(from, to, mayOverwrite) {
      const missing = await lfs.send(await end.listPointers(from, to));
      try {
        await end.push(from, to, mayOverwrite);
      } catch (error) {
        if (missing.length === 0 || !(error instanceof RemoteError) || error.failure === 'changed') throw error;
        const why = `the bytes of ${toNames(missing)} are not here; a clone that has them sends them with git lfs push --all`;
        throw new RemoteError(error.failure, `${error.message}; ${why}`);
      }
    },
    async close() {
      lfs.close();
      await end.close();
    },
  };
}

function toNames(paths: readonly string[]): string {
  const [first = ''] = paths;
  return paths.length === 1 ? quoteHost(first) : `${paths.length} media files, ${quoteHost(first)} among them,`;
}
