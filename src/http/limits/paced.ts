// Answers that are streamed let others through: a source that always has more, read by a client as fast as it comes,
// would keep the event loop to itself until its end.
import { Readable } from 'node:stream';
import { type Breathe, createSharedBreathe } from '../../lib/queues/slices.ts';

/** One slice for the streams of all answers together. */
const breathe = createSharedBreathe();

/** The same bytes; an error of the source and the end of either side are the other's too. */
export function paced(source: Readable): Readable {
  const stream = Readable.from(inTurns(source, breathe), { objectMode: false });
  source.once('error', (error) => stream.destroy(error));
  // Not every client reads, and what nobody began to read has to be closed too.
  stream.once('close', () => source.destroy());
  return stream;
}

async function* inTurns(source: Readable, breathe: Breathe): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    yield chunk as Buffer;
    await breathe();
  }
}
