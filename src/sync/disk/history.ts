// Which deploys were committed, in the order in which rollbacks go back through them, and which of them is live. What is
// live is decided by the link `current` alone; the history follows it after a crash.
import fs from 'node:fs';
import { isCode } from '../../lib/error-code.ts';
import { replaceFile } from './durable.ts';

export interface DeployHistory {
  /** The oldest first. */
  order: readonly string[];
  live: string | null;
}

export const KEPT_DEPLOYS = 5;

/**
 * The history once `id` is live. A new deploy follows the one that was live before it, even if that one came back by a
 * rollback: a rollback from the new one returns to what people saw last.
 */
export function madeLive({ order, live }: DeployHistory, id: string): DeployHistory {
  if (order.includes(id)) return { order, live: id };
  const others = order.filter((other) => other !== live);
  return { order: [...others, ...(live === null ? [] : [live]), id], live: id };
}

export function without({ order, live }: DeployHistory, id: string): DeployHistory {
  return { order: order.filter((other) => other !== id), live };
}

/** The deploys that are over the number that is kept, the oldest first. Never the live one. */
export function surplusOf({ order, live }: DeployHistory): string[] {
  return order.filter((id) => id !== live).slice(0, Math.max(0, order.length - KEPT_DEPLOYS));
}

/** The deploy before the live one. */
export function previousOf({ order, live }: DeployHistory): string | undefined {
  return live === null ? undefined : order[order.indexOf(live) - 1];
}

/** Empty if there is no history, or one that cannot be read: then nothing but the live deploy is trusted. */
export function readHistory(file: string): DeployHistory {
  try {
    const { order, live } = JSON.parse(fs.readFileSync(file, 'utf8')) as DeployHistory;
    return { order: order.filter((id) => typeof id === 'string'), live: typeof live === 'string' ? live : null };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || isCode(error, 'ENOENT')) {
      return { order: [], live: null };
    }
    throw error;
  }
}

export function writeHistory(file: string, history: DeployHistory): Promise<void> {
  return replaceFile(file, `${JSON.stringify(history)}\n`);
}
