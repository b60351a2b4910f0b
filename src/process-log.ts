// The process's log: JSON lines on standard output, or the same for people, gathered and written in the background, and synchronously at the
// end. Must never hold up the service or its end: a full disk under a redirected log, or a closed terminal, accepts
// nothing.
import fs from 'node:fs';
import { type Logger, pino } from 'pino';

const STDOUT = 1;

/** Lines are gathered for a moment: writing each at once costs as much as the rest of a small read. */
const GATHER_MS = 100;
const GATHER_CHARS = 8 << 10;
/** How much may wait while standard output accepts nothing; further lines are dropped and counted. */
const MAX_WAITING_CHARS = 1 << 20;
/** How long the last lines wait for a full pipe. */
const LAST_LINES_MS = 1000;
const AGAIN_MS = 10;

const NOTHING = Buffer.alloc(0);

type LogDisk = Pick<typeof fs, 'write' | 'writeSync'>;

export interface ProcessLog {
  logger: Logger;
  /** Writes a line whatever the log level, after all that was gathered before it. */
  print(lines: string): void;
  /** Writes what was gathered; call it before the process ends. */
  flush(): void;
}

/**
 * `explain` returns, for errors it knows, what to log instead of a stack: what the operator can do. `toText` makes a line
 * for people of a line of JSON.
 */
export function createProcessLog(
  level: string,
  explain: (error: Error) => object | undefined,
  toText?: (line: string) => string,
): ProcessLog {
  const output = createLogOutput(STDOUT);
  process.on('exit', output.flushSync);
  const err = (error: Error) => explain(error) ?? pino.stdSerializers.err(error);
  const write = toText ? (line: string) => output.write(toText(line)) : output.write;
  return {
    logger: pino({ level, serializers: { err } }, { ...output, write }),
    print(lines) {
      output.write(lines);
      output.flushSync();
    },
    flush: output.flushSync,
  };
}

export interface LogOutput {
  write(lines: string): void;
  /**
   * Writes what was gathered, as far as the system accepts it. Pino calls this name before it reports a fatal error.
   */
  flushSync(): void;
}

export function createLogOutput(fd: number, disk: LogDisk = fs): LogOutput {
  let gathered = '';
  let lost = 0;
  /** Moved out of `gathered` but not written yet: it comes before whatever is gathered since. */
  let rest: Buffer = NOTHING;
  let isWriting = false;

  function nextBytes(): Buffer {
    if (rest.length > 0 || gathered === '') return rest;
    rest = Buffer.from(lost ? `${gathered}${toLostLine(lost)}` : gathered);
    gathered = '';
    lost = 0;
    return rest;
  }

  function send(): void {
    if (isWriting || nextBytes().length === 0) return;
    isWriting = true;
    const bytes = rest;
    rest = NOTHING;
    disk.write(fd, bytes, (error, written) => {
      isWriting = false;
      rest = Buffer.concat([bytes.subarray(error ? 0 : written), rest]);
      // After an error, the next interval tries again.
      if (!error && rest.length > 0) send();
    });
  }

  setInterval(send, GATHER_MS).unref();

  return {
    write(lines) {
      if (gathered.length > MAX_WAITING_CHARS) {
        lost++;
        return;
      }
      gathered += lines;
      if (gathered.length >= GATHER_CHARS) send();
    },
    /** The system already has a write in progress. */
    flushSync() {
      const until = performance.now() + LAST_LINES_MS;
      while (nextBytes().length > 0) {
        try {
          rest = rest.subarray(disk.writeSync(fd, rest));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > until) return;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
        }
      }
    },
  };
}

function toLostLine(count: number): string {
  const msg = `${count} lines of the process log are lost here: standard output did not accept them`;
  return `${JSON.stringify({ level: 40, msg })}\n`;
}
