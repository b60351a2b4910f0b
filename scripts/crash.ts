// Enumerates crashes: `npm run crash -- --states 100000 --seed 1`. Works on units, each one scenario with one seed, two
// processes at a time, until so many different disk images have been recovered from; prints each failure and then ends
// with 1. `--seed N --state K` runs one state again. `--scenario <name>` runs only that one. The files outside the
// repository come first: every power cut of their scenarios, each with a few seeds; then some states are checked from
// outside.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { enumerateCuts } from '../test/support/crash/data/enumerate.ts';
import { DATA_SCENARIOS, findDataScenario } from '../test/support/crash/data/scenarios.ts';
import { collectCrashes, enumerateCrashes, type Failure } from '../test/support/crash/enumerate.ts';
import { DOCUMENT_SCENARIOS, SCENARIOS } from '../test/support/crash/scenarios.ts';
import { FOLDER } from '../test/support/crash/stage.ts';
import { checkViews } from '../test/support/crash/views.ts';

/** States of a unit have the numbers from `unit * UNIT_STATES` on. */
const UNIT_STATES = 1000;
/** Git checks one state of so many; our own verify checks all of them. */
const GIT_EVERY = 40;
const PROGRESS_MS = 10_000;
/** Random seeds for the files outside the repository. */
const DATA_SEEDS = 5;
/** States of each scenario of documents that are checked through views, feed and histories. */
const VIEW_STATES = 300;

interface UnitResult {
  unit: number;
  images: string[];
  checked: number;
  failures: { state: number; what: string; error: string }[];
}

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    state: { type: 'string' },
    scenario: { type: 'string' },
    unit: { type: 'boolean' },
  },
});
const seed = Number(values.seed);
const isWanted = (name: string): boolean => !values.scenario || name === values.scenario;
const scenarios = Object.keys(SCENARIOS).filter(isWanted);
const dataScenarios = Object.keys(DATA_SCENARIOS).filter(isWanted);
if (scenarios.length + dataScenarios.length === 0) {
  const known = [...Object.keys(SCENARIOS), ...Object.keys(DATA_SCENARIOS)];
  throw new Error(`there is no scenario "${values.scenario}"; there are: ${known.join(', ')}`);
}

function planOf(unit: number): { scenario: string; seed: number } {
  return {
    scenario: scenarios[unit % scenarios.length]!,
    seed: seed * 100_003 + Math.floor(unit / scenarios.length),
  };
}

function toText({ error }: Failure): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function runUnit(unit: number): Promise<UnitResult> {
  try {
    const { images, checked, failures } = await enumerateCrashes({
      ...planOf(unit),
      states: UNIT_STATES,
      gitEvery: GIT_EVERY,
    });
    return {
      unit,
      images: [...images],
      checked,
      failures: failures.map((failure) => ({ state: failure.state, what: failure.what, error: toText(failure) })),
    };
  } catch (error) {
    // Not a state that failed, but the scenario itself or a start within it.
    const failure = { state: 0, what: 'the scenario itself', error };
    return { unit, images: [], checked: 0, failures: [{ ...failure, error: toText(failure) }] };
  }
}

function print({ unit, failures }: UnitResult): void {
  const options = values.scenario ? ` --scenario ${values.scenario}` : '';
  for (const { state, what, error } of failures) {
    console.log(
      `FAIL --seed ${seed} --state ${unit * UNIT_STATES + state}${options} (${planOf(unit).scenario}): ${what}\n${error}\n`,
    );
  }
}

async function runOne(number: number): Promise<boolean> {
  const unit = Math.floor(number / UNIT_STATES);
  const only = number % UNIT_STATES;
  const { failures } = await enumerateCrashes({ ...planOf(unit), states: UNIT_STATES, gitEvery: 1, only });
  for (const failure of failures) console.log(`${planOf(unit).scenario}: ${failure.what}\n${toText(failure)}`);
  if (failures.length === 0) console.log(`${planOf(unit).scenario}: recovered`);
  return failures.length === 0;
}

/** Every cut of the files outside the repository. */
async function runData(): Promise<boolean> {
  let isWell = true;
  for (const name of dataScenarios) {
    let count = 0;
    for (let n = 0; n < DATA_SEEDS; n++) {
      const plan = { seed: seed * DATA_SEEDS + n, states: Number.POSITIVE_INFINITY };
      const { states, failures } = await enumerateCuts(findDataScenario(name)!, plan);
      count += states;
      for (const { what, error } of failures)
        console.log(`FAIL --seed ${seed} --scenario ${name}: ${what}\n${error}\n`);
      isWell &&= failures.length === 0;
    }
    console.log(`${name}: ${count} states`);
  }
  return isWell;
}

async function runViews(): Promise<boolean> {
  let isWell = true;
  for (const scenario of DOCUMENT_SCENARIOS.filter(isWanted)) {
    const states = await collectCrashes({ scenario, seed, states: VIEW_STATES, gitEvery: 0 });
    for (const { image, promised, what } of states) {
      await checkViews(image, FOLDER, promised).catch((error: Error) => {
        isWell = false;
        console.log(`FAIL --seed ${seed} --scenario ${scenario}, shown state: ${what}\n${error.stack}\n`);
      });
    }
    console.log(`${scenario}: ${states.length} shown states`);
  }
  return isWell;
}

async function runAll(states: number): Promise<boolean> {
  const images = new Set<string>();
  const began = performance.now();
  let nextUnit = 0;
  let checked = 0;
  let failed = 0;
  const say = (): void => {
    const minutes = (performance.now() - began) / 60_000;
    console.log(`${images.size} states, ${checked} checks, ${failed} failures, ${minutes.toFixed(1)} min`);
  };
  const progress = setInterval(say, PROGRESS_MS);

  function work(): Promise<void> {
    return new Promise((done, fail) => {
      const child = fork(import.meta.filename, ['--unit', ...process.argv.slice(2)]);
      const give = (): void => {
        if (images.size >= states || failed >= 20) child.disconnect();
        else child.send(nextUnit++);
      };
      child.on('message', (result: UnitResult) => {
        for (const image of result.images) images.add(image);
        checked += result.checked;
        failed += result.failures.length;
        print(result);
        give();
      });
      child.on('error', fail);
      child.on('exit', (code) => (code === 0 ? done() : fail(new Error(`a worker ended with ${code}`))));
      give();
    });
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  clearInterval(progress);
  say();
  return failed === 0;
}

if (values.unit) {
  process.on('message', async (unit: number) => void process.send?.(await runUnit(unit)));
} else {
  const isWellBeside = values.state === undefined ? (await runData()) && (await runViews()) : true;
  const isWellInStore =
    scenarios.length === 0 ||
    (values.state === undefined ? await runAll(Number(values.states)) : await runOne(Number(values.state)));
  const isWell = isWellBeside && isWellInStore;
  process.exitCode = isWell ? 0 : 1;
}
