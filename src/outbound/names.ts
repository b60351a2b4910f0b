// Names to addresses, as the machine does it (hosts file, search domains), for all sites of the process. The system's
// call blocks one of the four threads that files are synced in, for as long as a name server likes: so only two names
// are looked up at a time, and nobody's slow name server holds up a write.
import { type LookupAddress, lookup } from 'node:dns';

export type Resolve = (name: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const AT_ONCE = 2;

export function createResolver(look: Resolve = lookUp): Resolve {
  const waiting: (() => void)[] = [];
  let active = 0;

  return (name, done) => {
    const start = (): void => {
      active++;
      look(name, (error, addresses) => {
        active--;
        waiting.shift()?.();
        done(error, addresses);
      });
    };
    if (active < AT_ONCE) start();
    else waiting.push(start);
  };
}

function lookUp(name: string, done: Parameters<Resolve>[1]): void {
  lookup(name, { all: true, verbatim: true }, done);
}
