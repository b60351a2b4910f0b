// The thread that cleans one large drawing and ends.
import { parentPort, workerData } from 'node:worker_threads';
import { sanitizeSvg } from './svg.ts';

const clean = await sanitizeSvg(Buffer.from(workerData as Uint8Array));
const own = clean && new Uint8Array(clean);
parentPort?.postMessage(own, own ? [own.buffer] : []);
