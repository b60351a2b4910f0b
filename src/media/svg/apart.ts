// Cleans large drawings in a separate thread, so that ones that are made to be slow delay no other request. Small ones,
// as nearly all are, take less time than starting a thread.
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../lib/sibling.ts';
import { SVG_LIMIT_BYTES, sanitizeSvg } from './svg.ts';

const WORKER = siblingUrl(import.meta.url, './svg-worker');
/** A few milliseconds, whatever is in it. */
const HERE_BYTES = 16 << 10;
/** The largest drawings take a few seconds on an idle machine. */
const TIMEOUT_MS = 60_000;
const RESOURCES = { maxOldGenerationSizeMb: 512 };

/** Like `sanitizeSvg`; also returns undefined if it takes too long. */
export async function sanitizeApart(bytes: Buffer, timeoutMs = TIMEOUT_MS): Promise<Buffer | undefined> {
  if (bytes.length > SVG_LIMIT_BYTES) return undefined;
  if (bytes.length <= HERE_BYTES) return sanitizeSvg(bytes);
  const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
  const giveUp = (): void => resolve(undefined);
  // Transferred to the thread, not copied: that would take longer than anything else here.
  const workerData = new Uint8Array(bytes);
  const worker = new Worker(WORKER, {
    workerData,
    transferList: [workerData.buffer],
    resourceLimits: RESOURCES,
    env: {},
  });
  worker.once('message', resolve).once('error', giveUp).once('exit', giveUp);
  const late = setTimeout(giveUp, timeoutMs);
  try {
    const clean = await promise;
    return clean && Buffer.from(clean.buffer, clean.byteOffset, clean.byteLength);
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}
