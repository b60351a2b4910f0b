// The thread that tests patterns. Each test runs in a context that V8 stops when its time is over, even in the middle
// of a regular expression; the thread survives.
import vm from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { isCode } from '../lib/error-code.ts';
import type { PatternOrder, PatternResult } from './patterns.ts';

const { limitMs } = workerData as { limitMs: number };
const context = vm.createContext(Object.create(null));
const script = new vm.Script('test()');
/** Timeouts without CPU time for this thread, on a busy machine, before a test is given up. */
const MAX_TRIES = 10;

/**
 * As browsers match an input's pattern: all of the text, by the rules of the `v` flag if the pattern is valid under it.
 */
function compile(pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})$`, 'v');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new RegExp(`^(?:${pattern})$`);
  }
}

function match(pattern: string, text: string): PatternResult {
  const expression = compile(pattern);
  context.test = () => expression.test(text);
  const before = process.threadCpuUsage();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      return script.runInContext(context, { timeout: limitMs }) ? 'match' : 'mismatch';
    } catch (error) {
      // It used up its stack or its time; time that the machine gave to others does not count.
      if (error instanceof RangeError) return 'undecided';
      if (!isCode(error, 'ERR_SCRIPT_EXECUTION_TIMEOUT')) throw error;
      const { user, system } = process.threadCpuUsage(before);
      if ((user + system) / 1000 >= limitMs / 2) return 'undecided';
    }
  }
  return 'undecided';
}

parentPort?.on('message', ({ pattern, text }: PatternOrder) => parentPort?.postMessage(match(pattern, text)));
