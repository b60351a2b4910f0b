// Makes pixels of a drawing in a process of its own: filters, layers and references can be made to take minutes and
// gigabytes, and what librsvg has begun nobody can stop but by ending the process that it runs in.
import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { siblingUrl } from '../../lib/sibling.ts';
import type { Variant } from './input.ts';

const WORKER = fileURLToPath(siblingUrl(import.meta.url, './draw-worker'));
/** Some 300 ms of it are the start. */
const TIMEOUT_MS = 10_000;
const MAX_SVG_BYTES = 2 << 20;

/** Rejects where the drawing is too large or takes too long, and where librsvg does not draw it. */
export async function drawApart(svg: Buffer, variant: Variant, timeoutMs = TIMEOUT_MS): Promise<Buffer> {
  if (svg.length > MAX_SVG_BYTES) throw new Error(`the drawing is larger than ${MAX_SVG_BYTES} bytes`);
  // Nothing of ours is in its environment.
  const child = spawn(process.execPath, [WORKER, JSON.stringify(variant)], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    const ended = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
    child.stdin.on('error', () => undefined); // it has ended before it read everything, which its code tells
    child.stdin.end(svg);
    const [code, bytes] = await Promise.all([ended, buffer(child.stdout)]);
    if (code !== 0) throw new Error(code === null ? 'drawing it takes too long' : 'it cannot be drawn');
    return bytes;
  } finally {
    clearTimeout(late);
  }
}
