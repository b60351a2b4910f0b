// Cleans drawings in a thread of their own, where ones that are made to be slow hold up nobody. Small ones, as nearly all
// are, take less than the start of a thread.
import { Worker } from 'node:worker_threads';
import { siblingUrl } from '../../lib/sibling.ts';
import { SVG_LIMIT_BYTES, sanitizeSvg } from './svg.ts';

const WORKER = siblingUrl(import.meta.url, './svg-worker');
/** A few milliseconds, whatever is in it. */
const HERE_BYTES = 16 << 10;
/** The largest take a few seconds where the machine is not busy. */
const TIMEOUT_MS = 60_000;
const RESOURCES = { maxOldGenerationSizeMb: 512 };

/** As `sanitizeSvg`; undefined too where it takes too long. */
export async function sanitizeApart(bytes: Buffer, timeoutMs = TIMEOUT_MS): Promise<Buffer | undefined> {
  if (bytes.length > SVG_LIMIT_BYTES) return undefined;
  if (bytes.length <= HERE_BYTES) return sanitizeSvg(bytes);
  const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
  const giveUp = (): void => resolve(undefined);
  // Handed over and not copied by the thread: that would take longer than anything else here.
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
