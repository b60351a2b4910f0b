// The files of a form on their way to the disk. Formidable hears of a failed write only where nothing else ends the form
// first, and counts what never came to the disk; so the streams are ours, and each is asked how it ended.
import { createWriteStream } from 'node:fs';
import { PassThrough, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

export interface ArrivingFiles {
  /** For formidable, which writes and ends it. */
  begin(path: string): Writable;
  /** Resolves once none is open any more, with what kept the first that failed from the disk. Whatever begins later is dropped. */
  end(): Promise<Error | undefined>;
}

export type OpenFile = (path: string) => Writable;

const openFile: OpenFile = (path) => createWriteStream(path, { flags: 'wx' });

export function createArrivingFiles(open: OpenFile = openFile): ArrivingFiles {
  const begun: { stream: Writable; ended: Promise<Error | undefined> }[] = [];
  let isOver = false;
  return {
    begin(path) {
      // Of a client that has gone a part may still come: its folder is on its way out.
      if (isOver) return new PassThrough().destroy();
      const stream = open(path);
      const ended = finished(stream).then(
        () => undefined,
        (error: Error) => error,
      );
      begun.push({ stream, ended });
      return stream;
    },
    async end() {
      isOver = true;
      for (const { stream } of begun) if (!stream.writableFinished) stream.destroy();
      const errors = await Promise.all(begun.map(({ ended }) => ended));
      return errors.find((error) => error !== undefined);
    },
  };
}
