// Resolves names as the machine does (hosts file, search domains), for all sites of the process. The system call blocks
// one of the four threads that sync files until the name server answers, so only two names are looked up at a time: a
// slow name server must not hold up writes. One of the two is kept for names that were quick the last time, so that a
// slow one does not hold up other webhooks either.
import { type LookupAddress, lookup } from 'node:dns';
import { createBoundedMap } from '../lib/memory/bounded-map.ts';
import { type ElapsedMs, elapsedMs } from '../lib/time/elapsed.ts';

export type Resolve = (name: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

/** A name that is being looked up, or waits for it. */
interface Look {
  name: string;
  askedMs: number;
  asked: Parameters<Resolve>[1][];
}

const AT_ONCE = 2;
const DOUBTFUL_AT_ONCE = 1;
const QUICK_MS = 1000;
/** How many names that were quick the last time are remembered. */
const MAX_QUICK = 1000;
/**
 * A caller that has waited this long has given up: webhooks, forms and the link check have ten seconds for a whole
 * request.
 */
const PATIENCE_MS = 10_000;

export function createResolver(look: Resolve = lookUp, elapsed: ElapsedMs = elapsedMs): Resolve {
  const looks = new Map<string, Look>();
  const quick = createBoundedMap<string, true>(MAX_QUICK);
  let waiting: Look[] = [];
  let active = 0;
  let doubtful = 0;

  function next(): void {
    const nowMs = elapsed();
    const late = waiting.filter(({ askedMs }) => nowMs - askedMs >= PATIENCE_MS);
    waiting = waiting.filter((one) => !late.includes(one));
    for (const one of late)
      end(one, Object.assign(new Error('no name server answered in time'), { code: 'EAI_AGAIN' }), []);
    while (active < AT_ONCE) {
      const at = waiting.findIndex(({ name }) => quick.has(name) || doubtful < DOUBTFUL_AT_ONCE);
      const [one] = at < 0 ? [] : waiting.splice(at, 1);
      if (!one) return;
      start(one, elapsed());
    }
  }

  function start(one: Look, startedMs: number): void {
    const isDoubtful = !quick.has(one.name);
    active++;
    if (isDoubtful) doubtful++;
    look(one.name, (error, addresses) => {
      active--;
      if (isDoubtful) doubtful--;
      quick.delete(one.name);
      if (!error && elapsed() - startedMs < QUICK_MS) quick.set(one.name, true);
      end(one, error, addresses);
      next();
    });
  }

  function end({ name, asked }: Look, ...answer: Parameters<Parameters<Resolve>[1]>): void {
    looks.delete(name);
    for (const done of asked) done(...answer);
  }

  return (name, done) => {
    const askedMs = elapsed();
    const shared = looks.get(name);
    if (shared) {
      shared.askedMs = askedMs;
      shared.asked.push(done);
      return;
    }
    const one = { name, askedMs, asked: [done] };
    looks.set(name, one);
    waiting.push(one);
    next();
  };
}

function lookUp(name: string, done: Parameters<Resolve>[1]): void {
  lookup(name, { all: true, verbatim: true }, done);
}
