// A store with a short history, and the questions of tests that write external commits to it.
import type { External } from '../../src/store/log/external.ts';
import type { Store } from '../../src/store/store.ts';
import { append, type StoreWorld, write } from './store-world.ts';

export interface Watched {
  store: Store;
  changes: External[];
}

export async function openWithHistory(
  world: StoreWorld,
  options: Parameters<StoreWorld['open']>[0] = {},
): Promise<Watched> {
  const changes: External[] = [];
  const store = world.open({ onExternal: (change) => void changes.push(change), ...options });
  for (let i = 0; i < 5; i++)
    await write(store, { 'content/posts/a.json': `ours ${i}`, [`content/posts/${i}.json`]: 'x' });
  await store.log.flush();
  store.log.poll();
  return { store, changes };
}

export function show(world: StoreWorld, file: string): string {
  return world.git('show', `main:${file}`);
}

export function refusalOf(store: Store): string | undefined {
  try {
    append(store, { never: 'x' }).durable.catch(() => undefined);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

export async function until(isSo: () => boolean): Promise<void> {
  const started = performance.now();
  while (!isSo()) {
    if (performance.now() - started > 5000) throw new Error('the condition was not met in time');
    await new Promise((resume) => setTimeout(resume, 5));
  }
}
