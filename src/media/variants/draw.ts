// Turns a drawing into pixels in a separate process: filters, layers and references can be made to take minutes and
// gigabytes, and only ending the process stops librsvg.
import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { siblingUrl } from '../../lib/sibling.ts';
import type { Variant } from './variant.ts';

const WORKER = fileURLToPath(siblingUrl(import.meta.url, './draw-worker'));
/** Starting the process takes some 300 ms of it. */
const TIMEOUT_MS = 10_000;
const MAX_SVG_BYTES = 2 << 20;

/** Rejects if the drawing is too large or takes too long, or if librsvg cannot draw it. */
export async function drawApart(svg: Buffer, variant: Variant, timeoutMs = TIMEOUT_MS): Promise<Buffer> {
  if (svg.length > MAX_SVG_BYTES) throw new Error(`the drawing is larger than ${MAX_SVG_BYTES} bytes`);
  // It gets nothing of our environment.
  const child = spawn(process.execPath, [WORKER, JSON.stringify(variant)], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    const ended = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
    child.stdin.on('error', () => undefined); // it ended before it read everything, as its exit code shows
    child.stdin.end(svg);
    const [code, bytes] = await Promise.all([ended, buffer(child.stdout)]);
    if (code !== 0) throw new Error(code === null ? 'drawing took too long' : 'the drawing cannot be drawn');
    return bytes;
  } finally {
    clearTimeout(late);
  }
}
