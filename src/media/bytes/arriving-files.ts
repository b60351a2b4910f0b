// Writes the files of a form to the disk. Formidable notices a failed write only if nothing else ends the form first,
// and counts bytes that never reached the disk; so the streams are ours, and we check how each of them ended.
import { createWriteStream } from 'node:fs';
import { PassThrough, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

export interface ArrivingFiles {
  /** Opens a stream that formidable writes to and ends. */
  begin(path: string): Writable;
  /** Resolves once all files are closed, with the error of the first that failed. Drops any file that begins later. */
  end(): Promise<Error | undefined>;
}

export type OpenFile = (path: string) => Writable;

const openFile: OpenFile = (path) => createWriteStream(path, { flags: 'wx' });

export function createArrivingFiles(open: OpenFile = openFile): ArrivingFiles {
  const begun: { stream: Writable; ended: Promise<Error | undefined> }[] = [];
  let isOver = false;
  return {
    begin(path) {
      // A part may still arrive from a client that has left, while its folder is being removed.
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
