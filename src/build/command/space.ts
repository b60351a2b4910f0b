// Ends a build before it fills the disk that the whole service writes to.
import { statfs } from 'node:fs/promises';
import { BuildError } from '../build.ts';

const LOOK_MS = 1000;
/** As much remains free: 5 percent of the disk, 1 GiB at most. */
const KEPT_PART = 0.05;
const MOST_KEPT_BYTES = 2 ** 30;

export interface SpaceWatch extends Disposable {
  /** Aborted with a BuildError. */
  signal: AbortSignal;
}

export function watchSpace(folder: string, lookMs = LOOK_MS): SpaceWatch {
  const full = new AbortController();
  const timer = setInterval(look, lookMs);

  async function look(): Promise<void> {
    // A disk that does not answer is noticed elsewhere.
    const about = await statfs(folder).catch(() => undefined);
    if (!about || full.signal.aborted) return;
    const kept = Math.min(MOST_KEPT_BYTES, about.blocks * about.bsize * KEPT_PART);
    // Some file systems make files as long as there is space, and count none.
    const hasFiles = about.files === 0 || about.ffree > about.files * KEPT_PART;
    if (about.bavail * about.bsize > kept && hasFiles) return;
    full.abort(new BuildError('the disk is almost full, so the command was ended'));
  }

  return { signal: full.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
