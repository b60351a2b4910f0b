// Kills the sync server at every step of its deploys while a reader polls: `node scripts/sync-crash.ts --rounds 1000`.
// Prints what it saw, and ends with 1 if a page was mixed, cut or lost.
import { parseArgs } from 'node:util';
import { runCrashRounds } from '../test/sync/crash-rounds.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1000' } } });
const started = performance.now();
const figures = await runCrashRounds({
  rounds: Number(values.rounds),
  onRound: (round) => {
    if (round % 50 === 0) console.error(`round ${round}, ${((performance.now() - started) / 1000).toFixed(0)} s`);
  },
});
console.log(JSON.stringify(figures, null, 2));
process.exitCode = figures.problems.length === 0 ? 0 : 1;
