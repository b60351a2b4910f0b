// The process's log: JSON lines on standard output.
import { type Logger, pino } from 'pino';

/** Lines are gathered for a moment: writing each at once costs a small read as much as the rest of it. */
const GATHER_MS = 100;
const GATHER_BYTES = 8 << 10;

export interface ProcessLog {
  log: Logger;
  /** Writes what was gathered; before the process ends. */
  flush(): void;
}

export function createProcessLog(level: string): ProcessLog {
  const destination = pino.destination({ dest: 1, sync: false, minLength: GATHER_BYTES });
  setInterval(() => destination.flush(), GATHER_MS).unref();
  return { log: pino({ level }, destination), flush: () => destination.flushSync() };
}
