// The thread in which patterns are tested. Each test runs in a context that V8 stops when its time is over, also in the
// middle of a regular expression; the thread goes on.
import vm from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { isCode } from '../lib/error-code.ts';
import type { PatternOrder, PatternResult } from './patterns.ts';

const { limitMs } = workerData as { limitMs: number };
const context = vm.createContext(Object.create(null));
const script = new vm.Script('test()');
/** On a machine that has no time for this thread. */
const MAX_TRIES = 10;

/** As browsers match the pattern of an input: all of the text, by the rules of the `v` flag where it is right by those. */
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
      // Its stack was used up, or its time was; time that others had does not count.
      if (error instanceof RangeError) return 'undecided';
      if (!isCode(error, 'ERR_SCRIPT_EXECUTION_TIMEOUT')) throw error;
      const { user, system } = process.threadCpuUsage(before);
      if ((user + system) / 1000 >= limitMs / 2) return 'undecided';
    }
  }
  return 'undecided';
}

parentPort?.on('message', ({ pattern, text }: PatternOrder) => parentPort?.postMessage(match(pattern, text)));
