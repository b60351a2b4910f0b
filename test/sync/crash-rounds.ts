// Deploy after deploy onto a server that is killed in the middle of each, while a reader asks for pages all the time.
// Every page names its deploy in each of its lines, so that a mixed or a cut one is seen. test/sync/crash.test.ts runs a
// few rounds, scripts/sync-crash.ts as many as you like.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { toOneFile } from '../../src/sync/one-file.ts';
import { deploy, makeVolume, send, startProgram } from './sync-world.ts';

const KILLER = path.join(import.meta.dirname, 'kill-at-call.js');
/** Lines of a page: one is small, one is read in pieces. */
const PAGES: Record<string, number> = { 'index.html': 1, 'a/index.html': 50, 'b/c.html': 5000, 'long.txt': 60_000 };
const END = 'end';

export interface CrashFigures {
  rounds: number;
  /** Rounds in which the server was killed. */
  kills: number;
  /** Deploys that were live after a kill although their commit was not answered, and those that were not. */
  unanswered: { live: number; gone: number };
  /** Calls that change the disk from a start to the end of a deploy. */
  steps: number;
  reads: number;
  problems: string[];
}

function pageText(number: number, lines: number): string {
  return `deploy ${number}\n`.repeat(lines) + END;
}

/** The number of the deploy that a page is of, or what is wrong with it. */
export function numberOf(text: string, lines: number): number | string {
  const number = Number(/^deploy (\d+)\n/.exec(text)?.[1] ?? Number.NaN);
  if (text === pageText(number, lines)) return number;
  const found = new Set(text.split('\n'));
  return `a page of ${text.length} bytes has lines ${[...found].slice(0, 5).join(', ')}`;
}

export async function runCrashRounds({
  rounds,
  onRound,
}: {
  rounds: number;
  onRound?(round: number): void;
}): Promise<CrashFigures> {
  const root = makeVolume();
  const program = path.join(root, 'server-under-test.mjs');
  const log = path.join(root, 'steps');
  fs.writeFileSync(program, toOneFile());
  const figures: CrashFigures = {
    rounds,
    kills: 0,
    unanswered: { live: 0, gone: 0 },
    steps: 0,
    reads: 0,
    problems: [],
  };
  const state = { url: '', live: 0, attempted: 0, isOver: false };

  const start = async (killAt: number): Promise<ChildProcess | undefined> => {
    const args = ['--no-warnings', '--import', KILLER];
    const variables = { KILL_AT: `${killAt}`, KILL_LOG: log };
    const started = await startProgram(program, { root, args, variables }).catch(() => undefined);
    if (started) state.url = started.url;
    return started?.child;
  };
  const stop = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };

  const reading = readAll(state, figures);
  try {
    const first = (await start(0))!;
    await deployNumber(state.url, 0);
    await deployNumber(state.url, 1);
    state.live = 1;
    state.attempted = 1;
    await stop(first);
    figures.steps = Number(fs.readFileSync(log, 'utf8'));
    for (let round = 0; round < rounds; round++) {
      onRound?.(round);
      await crashOnce(round);
    }
  } finally {
    state.isOver = true;
    await reading;
    fs.rmSync(root, { recursive: true, force: true });
  }
  return figures;

  async function crashOnce(round: number): Promise<void> {
    const number = ++state.attempted;
    // Two deploys were counted, so a share of the rounds ends without a kill.
    const child = await start(1 + Math.floor(((round + 0.5) * figures.steps) / rounds));
    const isAnswered = child
      ? await deployNumber(state.url, number).then(
          () => true,
          () => false,
        )
      : false;
    if (isAnswered) state.live = number;
    if (child && isAnswered && child.signalCode === null) child.kill('SIGKILL');
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    figures.kills++;
    const next = (await start(0))!;
    await checkAfter(number, isAnswered);
    await stop(next);
  }

  /** What is live after a restart: one deploy as a whole, and nothing that was not committed. */
  async function checkAfter(number: number, isAnswered: boolean): Promise<void> {
    const numbers = new Set<number | string>();
    for (const [page, lines] of Object.entries(PAGES)) {
      numbers.add(numberOf(await (await fetch(`${state.url}/${page}`)).text(), lines));
    }
    const [found] = numbers;
    const isExpected = found === number || (found === state.live && !isAnswered);
    if (numbers.size !== 1 || !isExpected) {
      figures.problems.push(`after deploy ${number} (answered: ${isAnswered}) there is ${[...numbers].join(' and ')}`);
    }
    if (!isAnswered) figures.unanswered[found === number ? 'live' : 'gone']++;
    if (typeof found === 'number') state.live = found;
    const { json } = await send(state.url, 'GET', '/_icd/manifest');
    const kept = fs.readdirSync(path.join(root, 'deploys'));
    if (kept.length > 5 || !kept.includes(json.deployId)) figures.problems.push(`kept deploys: ${kept.join(', ')}`);
  }
}

function deployNumber(url: string, number: number): Promise<string> {
  return deploy(url, Object.fromEntries(Object.entries(PAGES).map(([page, lines]) => [page, pageText(number, lines)])));
}

/** Reads pages until it is over. Only a server that is not there may fail. */
async function readAll(
  state: { url: string; live: number; attempted: number; isOver: boolean },
  figures: CrashFigures,
): Promise<void> {
  const pages = Object.entries(PAGES);
  for (let turn = 0; !state.isOver; turn++) {
    const [page, lines] = pages[turn % pages.length]!;
    const from = state.live;
    const read = await fetch(`${state.url}/${page}`)
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined);
    if (!read || from === 0) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      continue;
    }
    figures.reads++;
    const number = read.status === 200 ? numberOf(read.text, lines) : `status ${read.status}`;
    if (typeof number === 'string') figures.problems.push(`${page}: ${number}`);
    else if (number < from || number > state.attempted) {
      figures.problems.push(`${page} is of deploy ${number} when ${from} is live and ${state.attempted} under way`);
    }
  }
}
