// Paces streamed answers, so that other requests run: a source that always has more, read by a client as fast as it
// comes, would keep the event loop to itself until its end.
import { Readable } from 'node:stream';
import { type Breathe, createSharedBreathe } from '../../lib/queues/slices.ts';

/** One slice of time, shared by the streams of all answers. */
const breathe = createSharedBreathe();

/** Returns the same bytes; an error of the source, and the end of either side, reach the other. */
export function paced(source: Readable): Readable {
  const stream = Readable.from(inTurns(source, breathe), { objectMode: false });
  source.once('error', (error) => stream.destroy(error));
  // Some clients never read; the source has to be closed even if nothing has read from it.
  stream.once('close', () => source.destroy());
  return stream;
}

async function* inTurns(source: Readable, breathe: Breathe): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    yield chunk as Buffer;
    await breathe();
  }
}
