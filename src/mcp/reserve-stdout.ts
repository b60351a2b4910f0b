// Standard output belongs to the protocol: a configuration that prints would cut a message in two.
import { Writable } from 'node:stream';

/** Returns standard output for the protocol alone. Whatever else is printed goes to standard error from then on. */
export function reserveStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, callback) => void write(chunk, encoding, callback),
  });
}
