// `_data/deploys/automatic.json`: how far the log was looked at, and an automatic deploy that is about to begin, so that
// a crash loses neither.
import { z } from 'zod';
import type { DataFolder } from '../../data/data-folder.ts';
import type { Warn } from '../../lib/warn.ts';

export const AutomaticState = z.object({
  version: z.literal(1),
  /** Commits, the newest first; null if nobody looks at the log. */
  cursor: z.array(z.string()).nullable(),
  pending: z.object({ trigger: z.enum(['save', 'revalidation']), isFull: z.boolean() }).nullable(),
});
export type AutomaticState = z.output<typeof AutomaticState>;

export interface AutomaticFile {
  read(): AutomaticState;
  /** Durable once it resolves. */
  change(change: Partial<AutomaticState>): Promise<void>;
}

const STATE_FILE = 'automatic.json';
const FRESH: AutomaticState = { version: 1, cursor: null, pending: null };

export async function openAutomaticFile(folder: DataFolder, warn: Warn): Promise<AutomaticFile> {
  let current = parse(await folder.read(STATE_FILE), warn);
  return {
    read: () => current,
    async change(change) {
      current = { ...current, ...change };
      await folder.write(STATE_FILE, `${JSON.stringify(current)}\n`);
    },
  };
}

/** A damaged file costs at most one automatic deploy: the next change begins one. */
function parse(bytes: Buffer | undefined, warn: Warn): AutomaticState {
  if (!bytes) return FRESH;
  try {
    return AutomaticState.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    warn(`"_data/deploys/${STATE_FILE}" cannot be read; automatic deploys begin with the next change`, error);
    return FRESH;
  }
}
