// Every power cut that a scenario on files outside the repository could meet: records its calls (recorded-folder.ts),
// and after each of them writes the folder as each disk could have it then, opens it, and checks it against what had
// been promised by that time.
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDiskState, hashImage } from '../../disk-images.ts';
import { createRandom } from '../../random.ts';
import { listPolicies } from '../policies.ts';
import { putImage, recordFolder } from '../recorded-folder.ts';

export interface DataScenario<Note> {
  /** Does all its work in the folder; notes requests and answers. */
  run(folder: string, note: (note: Note) => void): Promise<void>;
  /** Opens what a cut left, with the notes made by then; throws if something is wrong. */
  check(folder: string, notes: readonly Note[]): Promise<void>;
}

export interface DataPlan {
  seed: number;
  /** The most states, spread over the scenario. */
  states: number;
  /** A sync for which it returns true does nothing. */
  ignoresSync?: (what: string) => boolean;
  stopAtFailure?: boolean;
}

export interface DataOutcome {
  states: number;
  events: number;
  failures: { what: string; error: unknown }[];
}

/** Syncs of the checks cost nothing there. */
const MEMORY = fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
/** Random draws after each call. */
const CHANCES = 4;
const MOST_FAILURES = 5;

export async function enumerateCuts<Note>(scenario: DataScenario<Note>, plan: DataPlan): Promise<DataOutcome> {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(MEMORY, 'colophon-cuts-')));
  try {
    const states = [...(await listStates(scenario, plan, path.join(root, 'recorded')))];
    const outcome: DataOutcome = { states: 0, events: states.length, failures: [] };
    for (const [number, { image, notes, what }] of spread(states, plan.states).entries()) {
      const folder = path.join(root, String(number));
      putImage(image, folder);
      outcome.states++;
      try {
        await scenario.check(folder, notes);
      } catch (error) {
        outcome.failures.push({ what, error });
      }
      fs.rmSync(folder, { recursive: true });
      if (outcome.failures.length >= (plan.stopAtFailure ? 1 : MOST_FAILURES)) break;
    }
    return outcome;
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

interface State<Note> {
  image: ReturnType<ReturnType<typeof createDiskState>['image']>;
  notes: readonly Note[];
  what: string;
}

async function listStates<Note>(
  scenario: DataScenario<Note>,
  { seed, ignoresSync }: DataPlan,
  folder: string,
): Promise<State<Note>[]> {
  fs.mkdirSync(folder);
  using recorded = await recordFolder(folder, ignoresSync);
  await scenario.run(folder, recorded.note);
  const random = createRandom(seed);
  const disk = createDiskState(recorded.base);
  const states: State<Note>[] = [];
  const seen = new Set<string>();
  let notes: readonly Note[] = [];
  for (const [number, event] of recorded.events.entries()) {
    disk.apply(event);
    if (event.kind === 'note') notes = [...notes, event.note as Note];
    for (const { name, choice } of listPolicies(disk, random, CHANCES)) {
      const image = disk.image(choice);
      const key = `${hashImage(image)} ${notes.length}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const after = 'what' in event ? event.what : JSON.stringify(event.kind === 'note' ? event.note : event.kind);
      states.push({ image, notes, what: `after call ${number} (${after}): ${name}` });
    }
  }
  return states;
}

/** At most this many of them, including the first and the last. */
function spread<T>(items: readonly T[], atMost: number): T[] {
  if (items.length <= atMost) return [...items];
  const step = (items.length - 1) / (atMost - 1);
  return Array.from({ length: atMost }, (_, n) => items[Math.round(n * step)]!);
}
