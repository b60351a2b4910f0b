// Loaded before the service: after SIGUSR2 its standard output behaves like a closed terminal, which refuses every
// write with EIO.
import fs from 'node:fs';

type Done = (error: Error | null, written: number) => void;

const STDOUT = 1;
const { write, writeSync } = fs;

function refusal(): Error {
  return Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO', syscall: 'write' });
}

process.on('SIGUSR2', () => {
  Object.assign(fs, {
    write(...args: Parameters<typeof write>) {
      if (args[0] === STDOUT) setImmediate(() => (args.at(-1) as unknown as Done)(refusal(), 0));
      else write(...args);
    },
    writeSync(...args: Parameters<typeof writeSync>) {
      if (args[0] === STDOUT) throw refusal();
      return writeSync(...args);
    },
  });
});
