// Reports progress on standard error: one line that is overwritten on a terminal, else a line every second.
import type { CliPorts } from './ports.ts';

const TTY_MS = 100;
const PLAIN_MS = 1000;

export interface Progress {
  /** On a terminal, shows that a site is being opened if no step follows soon: a large site may take a while. */
  opening(): void;
  show(text: string): void;
  /** Clears the line that is still shown. */
  end(): void;
}

export function createProgress(ports: Pick<CliPorts, 'err' | 'isErrTty' | 'now'>): Progress {
  const everyMs = ports.isErrTty ? TTY_MS : PLAIN_MS;
  let shownAt: number | undefined;
  let isLineOpen = false;
  let latest = '';
  let later: NodeJS.Timeout | undefined;

  function write(): void {
    stopWaiting();
    shownAt = ports.now().getTime();
    ports.err(ports.isErrTty ? `\r\x1b[K${latest}` : `${latest}\n`);
    isLineOpen = ports.isErrTty;
  }

  function stopWaiting(): void {
    clearTimeout(later);
    later = undefined;
  }

  return {
    opening() {
      if (!ports.isErrTty) return;
      latest = 'opening the site';
      shownAt ??= ports.now().getTime();
      later ??= setTimeout(write, everyMs).unref();
    },
    show(text) {
      latest = text;
      const at = ports.now().getTime();
      // What comes before the first step is not progress.
      shownAt ??= at;
      if (at - shownAt >= everyMs) write();
    },
    end() {
      stopWaiting();
      if (isLineOpen) ports.err('\r\x1b[K');
      isLineOpen = false;
    },
  };
}
