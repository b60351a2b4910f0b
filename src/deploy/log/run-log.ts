// The log of one deploy: what its build prints and each of its steps, without secrets, at most the last MiB. Readers
// follow it by position; it reaches the disk now and then, and as a whole when the deploy ends.
import type { DataFolder } from '../../data/data-folder.ts';
import type { Warn } from '../../lib/warn.ts';
import { createMasker } from './mask.ts';

export const MAX_LOG_BYTES = 1 << 20;

export interface RunLog {
  /** Output of a build, in pieces of any size. */
  write(text: string): void;
  /** One line of ours. */
  line(text: string): void;
  /** What there is from a position on; from the oldest that is kept, if the position is older. */
  read(from: number): { text: Buffer; next: number };
  /** True once nothing more will come. */
  isEnded(): boolean;
  /** Resolves when there is more than up to the position, when the log ends, or with the signal. */
  untilMore(position: number, signal: AbortSignal): Promise<void>;
  /** Durable once it resolves. */
  end(): Promise<void>;
}

export interface RunLogParts {
  folder: DataFolder;
  /** Name of its file. */
  name: string;
  /** What the log has already: a deploy that was queued before a restart. */
  earlier?: Buffer;
  secrets(): readonly string[];
  now(): Date;
  warn: Warn;
}

const FLUSH_MS = 1000;
/** A long log is written less often: each time as a whole. */
const LONG_BYTES = 64 << 10;
const LONG_FLUSH_MS = 10_000;
/** Pieces are joined to blocks, so that a build that prints single characters costs no object for each. */
const BLOCK_BYTES = 16 << 10;

export function createRunLog({ folder, name, earlier, secrets, now, warn }: RunLogParts): RunLog {
  const masker = createMasker(secrets);
  const text = createTail(MAX_LOG_BYTES);
  if (earlier) text.append(earlier);
  const waiting = new Set<() => void>();
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let endsInLine = false;

  function append(shown: string): void {
    if (shown === '' || isEnded) return;
    text.append(shown);
    endsInLine = !shown.endsWith('\n');
    timer ??= setTimeout(flush, text.sizeBytes() > LONG_BYTES ? LONG_FLUSH_MS : FLUSH_MS).unref();
    wake();
  }

  function wake(): void {
    for (const resume of [...waiting]) resume();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing = flushing
      .then(() => folder.write(name, text.read(0).text))
      .catch((error) => warn(`the log "${name}" of a deploy could not be written`, error));
    return flushing;
  }

  return {
    write: (piece) => append(masker.write(piece)),
    line(one) {
      append(masker.end());
      const stamp = now().toISOString().slice(11, 19);
      append(`${endsInLine ? '\n' : ''}[${stamp}] ${masker.write(one)}${masker.end()}\n`);
    },
    read: text.read,
    isEnded: () => isEnded,
    untilMore(position, signal) {
      if (isEnded || signal.aborted || text.end() > position) return Promise.resolve();
      return new Promise((resolve) => {
        const resume = (): void => {
          waiting.delete(resume);
          signal.removeEventListener('abort', resume);
          resolve();
        };
        waiting.add(resume);
        signal.addEventListener('abort', resume, { once: true });
      });
    },
    async end() {
      append(masker.end());
      isEnded = true;
      await flush();
      wake();
    },
  };
}

/** The last bytes of a text that grows, by their position in all of it. */
function createTail(maxBytes: number) {
  const blocks: { bytes: Buffer; used: number }[] = [];
  let start = 0;
  let end = 0;

  function append(piece: string | Buffer): void {
    for (let bytes = Buffer.from(piece); bytes.length > 0; ) {
      let last = blocks.at(-1);
      if (!last || last.used === last.bytes.length) blocks.push((last = { bytes: Buffer.alloc(BLOCK_BYTES), used: 0 }));
      const copied = bytes.copy(last.bytes, last.used);
      last.used += copied;
      end += copied;
      bytes = bytes.subarray(copied);
    }
    while (blocks[0] && end - start - blocks[0].used >= maxBytes) start += blocks.shift()!.used;
  }

  function read(from: number): { text: Buffer; next: number } {
    const oldest = Math.max(start, end - maxBytes);
    const first = Math.min(end, Math.max(from, oldest));
    const pieces: Buffer[] = [];
    let at = start;
    for (const { bytes, used } of blocks) {
      if (at + used > first) pieces.push(bytes.subarray(Math.max(0, first - at), used));
      at += used;
    }
    const text = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    // Never begins in the middle of a line, and so of a character.
    return { text: first > from ? text.subarray(text.indexOf(10) + 1) : text, next: end };
  }

  return { append, read, end: () => end, sizeBytes: () => end - start };
}
