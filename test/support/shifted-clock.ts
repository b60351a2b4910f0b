// Loaded before a service under test: its wall clock is off by the milliseconds in the file $CLOCK_FILE, which may
// change at any time, as if the machine's clock were set. Timers and the monotonic clock are not affected.
import fs from 'node:fs';
import { isCode } from '../../src/lib/error-code.ts';

const LOOK_MS = 50;

const file = process.env.CLOCK_FILE;
const realNow = Date.now.bind(Date);
const readFile = fs.readFileSync.bind(fs);

if (file !== undefined) {
  let offsetMs = 0;
  const look = (): void => {
    try {
      offsetMs = Number(readFile(file, 'utf8')) || 0;
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
      offsetMs = 0;
    }
  };
  look();
  setInterval(look, LOOK_MS).unref();
  const now = (): number => realNow() + offsetMs;
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  });
}
