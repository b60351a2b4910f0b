// A build is a process that lives for seconds.
import { setFlagsFromString } from 'node:v8';

/**
 * The optimising compiler waits until a function was called this often: what it makes earlier of the code of a small
 * site is ready when the site is. 754 posts take a twentieth less time and a tenth less processor time, 10,000 the same
 * (measured on two cores).
 */
const CALLS_BEFORE_OPTIMISING = 30_000;

/** To be called before the code of the builder runs; for this process and its threads. */
export function runBriefly(): void {
  setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_BEFORE_OPTIMISING}`);
}
