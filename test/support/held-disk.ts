// A disk whose writes into open files wait while it is held: before they reach the file, or after.
import { type Disk, nodeDisk } from '../../src/store/disk/disk.ts';

export interface HeldDisk {
  disk: Disk;
  hold(): void;
  letGo(): void;
  /** How many writes reached the file. */
  written(): number;
}

export function makeHeldDisk(waits: 'before' | 'after'): HeldDisk {
  let held: Promise<void> | undefined;
  let letGo = (): void => undefined;
  let written = 0;
  const disk: Disk = {
    ...nodeDisk,
    openDurable(file) {
      const opened = nodeDisk.openDurable(file);
      return {
        close: opened.close,
        async write(bytes, position) {
          if (waits === 'before') await held;
          await opened.write(bytes, position);
          written++;
          if (waits === 'after') await held;
        },
      };
    },
  };
  return {
    disk,
    hold: () => void (held = new Promise((done) => (letGo = done))),
    letGo: () => letGo(),
    written: () => written,
  };
}
