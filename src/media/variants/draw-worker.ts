// The process that draw.ts starts: reads a drawing from standard input, writes its pixels to standard output, and ends.
import { buffer } from 'node:stream/consumers';
import { drawVariant } from './make.ts';
import type { Variant } from './variant.ts';

/** The process that started it kills it earlier; this is for when that one is gone. */
const LAST_MS = 30_000;

setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_MS).unref();
const variant = JSON.parse(process.argv[2] ?? '') as Variant;
process.stdout.write(await drawVariant(await buffer(process.stdin), variant));
