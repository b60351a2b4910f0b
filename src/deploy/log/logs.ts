// The logs of a site's deploys: those under way in memory, the others in `_data/deploys/logs/`, one file each.
import { createRunLog, type RunLog, type RunLogParts } from './run-log.ts';

/** A piece of a log; `next` is the position to continue from. */
export interface LogPiece {
  text: string;
  next: number;
}

export interface DeployLogs {
  /** Begins the log of a deploy, with what was written before a restart. */
  begin(id: string, earlier?: Buffer): RunLog;
  /** The whole log as it is now; empty for a deploy that has not begun. */
  read(id: string): Promise<Buffer>;
  /** The log from a position on, then what is added, until the deploy has ended. */
  follow(id: string, from: number, signal: AbortSignal): AsyncIterable<LogPiece>;
  /** Removes the logs of deploys that are not in the history any more. */
  prune(kept: ReadonlySet<string>): Promise<void>;
}

const SUFFIX = '.log';

export function createDeployLogs(parts: Omit<RunLogParts, 'name' | 'earlier'>): DeployLogs {
  const { folder } = parts;
  const running = new Map<string, RunLog>();

  async function read(id: string): Promise<Buffer> {
    const log = running.get(id);
    return log ? log.read(0).text : ((await folder.read(id + SUFFIX)) ?? Buffer.alloc(0));
  }

  async function* follow(id: string, from: number, signal: AbortSignal): AsyncGenerator<LogPiece> {
    const log = running.get(id);
    if (!log) {
      const text = await read(id);
      if (text.length > from) yield { text: text.subarray(from).toString('utf8'), next: text.length };
      return;
    }
    for (let position = from; !signal.aborted; ) {
      await log.untilMore(position, signal);
      const { text, next } = log.read(position);
      if (text.length > 0) yield { text: text.toString('utf8'), next };
      else if (log.isEnded()) return;
      position = next;
    }
  }

  return {
    begin(id, earlier) {
      const log = createRunLog({ ...parts, name: id + SUFFIX, ...(earlier && { earlier }) });
      running.set(id, log);
      return {
        ...log,
        async end() {
          await log.end();
          running.delete(id);
        },
      };
    },
    read,
    follow,
    async prune(kept) {
      for (const name of await folder.list()) {
        if (name.endsWith(SUFFIX) && !kept.has(name.slice(0, -SUFFIX.length))) await folder.remove(name);
      }
    },
  };
}
