// Every crash that a scenario could meet: at each of its events, with each image that the disk could have then; during
// the recovery from such a crash again; and after the process was killed first, so that the next one builds on names
// that are not on the disk. A unit is one scenario with one seed; its states are numbered in the order in which they
// occur.
import { createDiskState, type DiskEvent, type FolderImage, hashImage } from '../disk-images.ts';
import { drawIdsFrom } from '../known-ids.ts';
import { createMemoryFiles, type MemoryFiles } from '../memory-files.ts';
import { createRandom, type Random } from '../random.ts';
import { type StoppedTime, stopTime } from '../stopped-time.ts';
import { addPromise, checkImage, copyPromises, createPromises, keyOf, type Promises } from './check.ts';
import { listPolicies } from './policies.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { chooseIfMoved, createStage, type Note } from './stage.ts';
import { syncWithHost } from './sync-with-host.ts';

export interface Plan {
  scenario: string;
  seed: number;
  /** The most states of this unit. */
  states: number;
  /** Git checks one in this many states too; 0 for none. */
  gitEvery: number;
  /** Checks only this state. */
  only?: number;
  /** A sync for which this returns true does nothing (sync-sites.ts). */
  ignoresSync?: (what: string) => boolean;
  /** Crashes and kills only after events that match this. */
  near?: RegExp;
  /** Only one crash after each event, which loses all that was not synced or nothing of it. */
  isPlain?: boolean;
  /** Stops at the first failure. */
  stopAtFailure?: boolean;
}

export interface Failure {
  state: number;
  /** The place of the crash, and what it left. */
  what: string;
  error: unknown;
}

export interface Outcome {
  /** Images, by hash; the same image under a greater promise is checked again and not counted again. */
  images: Set<string>;
  checked: number;
  failures: Failure[];
}

/** Random draws at each event. */
const CHANCES = 6;
/** How many states of a second crash, and of a kill, are checked before the next one gets its turn. */
const STATES_OF_SECOND = 12;
const STATES_OF_NEAR = 100;
/** A unit stops here: further failures do not help to find the fault of the scenario. */
const MOST_FAILURES = 5;

interface State {
  image: FolderImage;
  promised: Promises;
  what: string;
  /** The last event. */
  after: string;
  /** Set if the start that was meant to crash did not get that far. */
  broken?: { error: unknown };
}

export async function enumerateCrashes(plan: Plan): Promise<Outcome> {
  using time = stopTime();
  const scenario = SCENARIOS[plan.scenario];
  if (!scenario) throw new Error(`there is no scenario ${plan.scenario}`);
  // The same ids whatever the seed: two seeds then give the same image if they do the same.
  drawIdsFrom(1);
  const outcome: Outcome = { images: new Set(), checked: 0, failures: [] };
  const seen = new Set<string>();
  for await (const { image, promised, what, broken } of listStates(plan, scenario, time)) {
    const hashed = hashImage(image);
    const key = `${hashed} ${keyOf(promised)} ${broken ? 'broken' : ''}`;
    if (seen.has(key)) continue;
    seen.add(key);
    outcome.images.add(hashed);
    const state = outcome.checked++;
    if (plan.only === undefined || plan.only === state) {
      try {
        if (broken) throw broken.error;
        await checkImage(
          image,
          promised,
          time,
          plan.gitEvery > 0 && (state % plan.gitEvery === 0 || plan.only === state),
        );
      } catch (error) {
        outcome.failures.push({ state, what, error });
      }
    }
    if (outcome.failures.length >= (plan.stopAtFailure ? 1 : MOST_FAILURES)) break;
    if (outcome.checked >= plan.states || plan.only === state) break;
  }
  return outcome;
}

/** Different states of a scenario, spread over its crashes, for tests that examine them in another way. */
export async function collectCrashes(plan: Plan): Promise<Pick<State, 'image' | 'promised' | 'what'>[]> {
  using time = stopTime();
  const scenario = SCENARIOS[plan.scenario];
  if (!scenario) throw new Error(`there is no scenario ${plan.scenario}`);
  drawIdsFrom(1);
  const states = new Map<string, State>();
  for await (const state of listStates(plan, scenario, time)) {
    if (!state.broken) states.set(`${hashImage(state.image)} ${keyOf(state.promised)}`, state);
    if (states.size >= plan.states) break;
  }
  return [...states.values()];
}

/** The three kinds in turns, so that a unit of any length has some of each. */
async function* listStates(plan: Plan, scenario: Scenario, time: StoppedTime): AsyncGenerator<State> {
  const random = createRandom(plan.seed);
  const recorded = await record(createMemoryFiles(), plan, time, (stage) => scenario(stage));
  if (plan.isPlain) return yield* listImages(recorded, 0, random, { isPlain: true });
  const images = [...listImages(recorded, 0, random, { near: plan.near })];
  const kinds: (Iterator<State> | AsyncIterator<State>)[] = [
    inLeaps(images, random),
    listSecondCrashes(images, plan, time),
    listKills(recorded, plan, time),
  ];
  while (kinds.length) {
    for (const kind of [...kinds]) {
      const next = await kind.next();
      if (next.done) kinds.splice(kinds.indexOf(kind), 1);
      else yield next.value;
    }
  }
}

function isHost(event: DiskEvent): event is { kind: 'note'; note: Extract<Note, { kind: 'host' }> } {
  return event.kind === 'note' && (event.note as Note).kind === 'host';
}

interface Recorded {
  files: MemoryFiles;
  /** The promises before its first event. */
  promised: Promises;
}

async function record(
  files: MemoryFiles,
  { seed, ignoresSync }: Plan,
  time: StoppedTime,
  run: (stage: ReturnType<typeof createStage>) => Promise<void>,
  promised = createPromises(),
): Promise<Recorded> {
  const prepare = (made: MemoryFiles): void => void (made.ignoresSync = ignoresSync ?? (() => false));
  const stage = createStage(createRandom(seed), time, files, prepare);
  const isSo = (event: DiskEvent): boolean => event.kind === 'note' && (event.note as Note).kind === 'operator';
  stage.hasOperator = promised.hasOperator || files.events.some(isSo);
  const state = files.events.findLast(isHost)?.note.state ?? promised.host;
  if (state) stage.openHost(state);
  await run(stage);
  const recorded = { files: stage.files, promised };
  stage.files.stop(new Error('scenario is over'));
  return recorded;
}

interface Picked {
  near?: RegExp | undefined;
  isPlain?: boolean;
  isPicked?(number: number): boolean;
}

/**
 * The states that a crash leaves right after each event, from the given one on; only those near one, or picked by their
 * number.
 */
function* listImages(
  { files, promised: before }: Recorded,
  from: number,
  random: Random,
  { near, isPlain, isPicked = () => true }: Picked = {},
): Generator<State> {
  const state = createDiskState(files.base);
  let promised = before;
  let count = 0;
  for (const [number, event] of files.events.entries()) {
    state.apply(event);
    if (event.kind === 'note') addPromise((promised = copyPromises(promised)), event);
    if (number < from || near?.test(say(event)) === false) continue;
    // A note changes the promises and not the disk: the images of the previous event are checked again.
    for (const { name, choice } of listPolicies(state, random, CHANCES)) {
      if (!isPicked(count++) || (isPlain && !name.startsWith('all of it'))) continue;
      const after = say(event);
      yield { image: state.image(choice), promised, after, what: `after event ${number} (${after}): ${name}` };
    }
  }
}

/** Some of them, spread over the whole. */
function* sampleImages(recorded: Recorded, from: number, random: Random, atMost: number): Generator<State> {
  let total = 0;
  const countOnly = (): boolean => {
    total++;
    return false;
  };
  Array.from(listImages(recorded, from, random, { isPicked: countOnly }));
  const picked = new Set(Array.from({ length: atMost }, () => random.whole(0, total - 1)));
  yield* inLeaps(listImages(recorded, from, random, { isPicked: (number) => picked.has(number) }), random);
}

/** Images of the scenario, spread over it, each with a start on it that crashes too. */
async function* listSecondCrashes(images: readonly State[], plan: Plan, time: StoppedTime): AsyncGenerator<State> {
  const random = createRandom(plan.seed + 1);
  for (const first of inLeaps(images, random)) {
    const { image, promised, what } = first;
    const second = await record(createMemoryFiles(image), plan, time, restart, promised).catch((error: unknown) => ({
      error,
    }));
    if ('error' in second) {
      yield { ...first, what: `${what}; then the next start`, broken: second };
      continue;
    }
    for (const state of sampleImages(second, 0, random, STATES_OF_SECOND))
      yield { ...state, what: `${what}; then, in the next start, ${state.what}` };
  }
}

/** The process is killed after an event; its calls stay, and are no more durable than before. */
async function* listKills(recorded: Recorded, plan: Plan, time: StoppedTime): AsyncGenerator<State> {
  const random = createRandom(plan.seed + 3);
  const { base, events } = recorded.files;
  const points = [...events.keys()].filter((at) => plan.near?.test(say(events[at]!)) ?? true);
  for (const at of inLeaps(points, random)) {
    const history = createMemoryFiles(base, events.slice(0, at + 1));
    const killed = await record(history, plan, time, restart, recorded.promised).catch((error: unknown) => ({ error }));
    const after = say(events[at]!);
    const where = `killed after event ${at} (${after})`;
    if ('error' in killed) {
      yield { image: base, promised: recorded.promised, after, what: `${where}; then the next start`, broken: killed };
      continue;
    }
    const atMost = plan.near === undefined ? STATES_OF_SECOND : STATES_OF_NEAR;
    for (const state of sampleImages(killed, at + 1, random, atMost))
      yield { ...state, what: `${where}; then ${state.what}` };
  }
}

async function restart(stage: ReturnType<typeof createStage>): Promise<void> {
  stage.open();
  stage.store.log.poll();
  const { moved } = stage.store.log.status();
  if (moved) {
    stage.note({ kind: 'away', commit: moved.ours });
    stage.note({ kind: 'choosing', keep: 'theirs' });
    await chooseIfMoved(stage.store, 'theirs', stage.time);
    stage.note({ kind: 'chosen', keep: 'theirs' });
  }
  if (stage.host) await syncWithHost(stage);
  // Recovered changes go into git by themselves, or together with the next change.
  if (stage.random.whole(0, 1)) await stage.flush();
  await stage.change({ 'content/posts/between.json': 'crashes' });
  await stage.flush();
  await stage.close();
}

/** In an order that covers the whole range early. */
function* inLeaps<T>(all: Iterable<T>, random: Random): Generator<T> {
  const items = [...all];
  while (items.length) {
    const at = random.whole(0, items.length - 1);
    yield items[at]!;
    // The order of the remaining ones is random anyway.
    items[at] = items.at(-1)!;
    items.pop();
  }
}

function say(event: DiskEvent): string {
  if (event.kind === 'make') return 'a new file';
  if (event.kind === 'note') return (event.note as Note).kind;
  return `${event.kind} ${event.what}`;
}
