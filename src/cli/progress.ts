// Reports progress on standard error: one line that is overwritten on a terminal, else a line every second.
import type { CliPorts } from './ports.ts';

const TTY_MS = 100;
const PLAIN_MS = 1000;

export interface Progress {
  show(text: string): void;
  /** Clears the line that is still shown. */
  end(): void;
}

export function createProgress(ports: Pick<CliPorts, 'err' | 'isErrTty' | 'now'>): Progress {
  const everyMs = ports.isErrTty ? TTY_MS : PLAIN_MS;
  let shownAt: number | undefined;
  let isLineOpen = false;
  return {
    show(text) {
      const at = ports.now().getTime();
      // What comes before the first step is not progress.
      shownAt ??= at;
      if (at - shownAt < everyMs) return;
      shownAt = at;
      ports.err(ports.isErrTty ? `\r\x1b[K${text}` : `${text}\n`);
      isLineOpen = ports.isErrTty;
    },
    end() {
      if (isLineOpen) ports.err('\r\x1b[K');
      isLineOpen = false;
    },
  };
}
