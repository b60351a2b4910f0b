// Creates something on a host that must not exist twice, over a connection that may break: an answer that never came is
// looked for before anything is sent again.
import { HostError } from './host-error.ts';
import type { ProviderContext } from './provider.ts';
import { backoffMs } from './retry.ts';

const MAX_ATTEMPTS = 3;

/** `find` looks for what an earlier `create` made. @throws what `create` or `find` throws */
export async function createOnce<T>(
  { delay, signal, log }: Pick<ProviderContext, 'delay' | 'signal' | 'log'>,
  create: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof HostError) || !mayHaveWorked(error)) throw error;
      log(`${error.message}; looking whether it was made anyway`);
      await delay(backoffMs(attempt, 0), signal);
      signal.throwIfAborted();
      const found = await find();
      if (found !== undefined) return found;
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function mayHaveWorked({ reason }: HostError): boolean {
  return reason === 'unreachable' || reason === 'timeout' || reason === 'host_failed';
}
