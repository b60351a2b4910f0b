// The process behind variants-draw.ts: one drawing on standard input, its pixels on standard output, and the end.
import { buffer } from 'node:stream/consumers';
import type { Variant } from './input.ts';
import { drawVariant } from './make.ts';

/** Whoever started it ends it before; should they be gone, it does so itself. */
const LAST_MS = 30_000;

setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_MS).unref();
const variant = JSON.parse(process.argv[2] ?? '') as Variant;
process.stdout.write(await drawVariant(await buffer(process.stdin), variant));
