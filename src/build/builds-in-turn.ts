// The places of builds, which all sites share: each build is a process with the memory of a whole site.

import { createFairSlots } from '../lib/queues/fair-slots.ts';
import { BuildError, type Builds } from './build.ts';

/** A site has two of them (its share as a caller), and waits in line for more. */
const places = createFairSlots({
  atOnce: 4,
  waiting: 128,
  full: () => new BuildError('too many builds of all sites wait; try again later'),
});

/** A build waits until it has a place; a cancelled one does not wait. */
export function buildsInTurn({ check, build }: Builds, site: string, slots = places): Builds {
  return {
    check,
    async build(request) {
      const { signal, log } = request;
      const reserved = slots.reserve({ site, caller: `site ${site}` }, () => !signal.aborted);
      const waits = setTimeout(() => log('waits for the builds of other sites\n'), SAID_MS);
      let leave: () => void;
      try {
        leave = await untilAborted(reserved, signal);
      } finally {
        clearTimeout(waits);
      }
      return build(request).finally(leave);
    },
  };
}

/** A wait that is longer than this is said in the log of the build. */
const SAID_MS = 2000;

async function untilAborted(reserved: Promise<() => void>, signal: AbortSignal): Promise<() => void> {
  const cancelled = Promise.withResolvers<never>();
  const cancel = (): void => cancelled.reject(new BuildError('the build was cancelled'));
  signal.addEventListener('abort', cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    return await Promise.race([reserved, cancelled.promise]);
  } catch (error) {
    // The place may come all the same.
    reserved.then(
      (leave) => leave(),
      () => undefined, // the same error
    );
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
