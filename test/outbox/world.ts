// An outbox in its own folder, with a clock that the test moves and a deliverer that the test controls.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenedOutbox, openOutbox } from '../../src/outbox/open-outbox.ts';
import type { Delivered, NewEntry, OutboxEntry } from '../../src/outbox/outbox.ts';
import type { OutboxParts } from '../../src/outbox/outbox-state.ts';

export const START_MS = Date.UTC(2026, 0, 2);
export const TOPIC = 'test';

export interface OutboxWorld extends AsyncDisposable {
  folder: string;
  journal: string;
  box: OpenedOutbox;
  /** Ids, in the order of the tries. */
  tried: string[];
  deliver: (entry: OutboxEntry) => Delivered | Promise<Delivered>;
  warnings: string[];
  nowMs(): number;
  /** Moves the clock and waits until nothing is on its way. */
  pass(ms: number): Promise<void>;
  settled(): Promise<void>;
  reopen(): Promise<void>;
}

export async function makeOutbox(
  parts: Partial<OutboxParts> & { folder?: string; silent?: boolean } = {},
): Promise<OutboxWorld> {
  const root = mkdtempSync(join(tmpdir(), 'outbox-'));
  const folder = parts.folder ?? join(root, 'deliveries');
  let clockMs = START_MS;
  const open = async (): Promise<OpenedOutbox> => {
    const box = await openOutbox({
      now: () => new Date(clockMs),
      warn: (message) => void world.warnings.push(message),
      chance: () => 0,
      ...parts,
      folder,
    });
    if (!parts.silent) register(box);
    return box;
  };
  const register = (box: OpenedOutbox): void =>
    box.register(TOPIC, async (entry) => {
      world.tried.push(entry.id);
      return world.deliver(entry);
    });
  const world: OutboxWorld = {
    folder,
    journal: join(folder, 'journal'),
    box: undefined as unknown as OpenedOutbox,
    tried: [],
    deliver: () => ({ ok: true, status: 200 }),
    warnings: [],
    nowMs: () => clockMs,
    settled: () => world.box.idle(),
    async pass(ms) {
      clockMs += ms;
      await world.settled();
    },
    async reopen() {
      await world.box.close();
      world.box = await open();
    },
    async [Symbol.asyncDispose]() {
      await world.box.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  world.box = await open();
  return world;
}

export function entry(id: string, more: Partial<NewEntry> = {}): NewEntry {
  return { id, topic: TOPIC, key: 'k', payload: { of: id }, ...more };
}

/** Id, state and number of attempts of each entry, oldest first. */
export function statesOf({ box }: Pick<OutboxWorld, 'box'>, topic = TOPIC): string[] {
  const { items } = box.list({ topic, isWanted: () => true, limit: 1e6, offset: 0 });
  return items.map(({ id, state, attempts }) => `${id} ${state} ${attempts}`).reverse();
}
