// Finds out once what this machine can do: a command is really run as builds run theirs, and says that it works.
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { removeFolder } from '../command/remove-folder.ts';
import { toBuildFolder } from './build-folder.ts';
import type { UserIds } from './builder-user.ts';
import { type BuildNetwork, type SandboxPrograms, toSandboxCommand } from './bwrap.ts';
import type { MachineFolders } from './machine-folders.ts';
import { prepareFolder } from './prepare-folder.ts';
import { findProgram } from './programs.ts';

export interface Machine {
  /** Undefined if bwrap cannot be used here; `problem` says why. */
  programs: SandboxPrograms | undefined;
  problem: string;
  /** Why there is no network that is public alone; empty if there is one, or none is wanted. */
  networkProblem: string;
}

export interface ProbeParts {
  searchPath: string | undefined;
  folders: MachineFolders;
  builder: UserIds | undefined;
  wantsNetwork: boolean;
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const WORKS = 'a build would work here';

export async function probeMachine(parts: ProbeParts): Promise<Machine> {
  const { searchPath } = parts;
  const none = (problem: string): Machine => ({ programs: undefined, problem, networkProblem: '' });
  if (process.platform !== 'linux') return none('it needs Linux');
  const bwrap = findProgram('bwrap', searchPath);
  if (bwrap === undefined) return none('the program "bwrap" was not found');
  const setpriv = findProgram('setpriv', searchPath);
  const unshare = findProgram('unshare', searchPath);
  if (!setpriv || !unshare) return none('the programs "setpriv" and "unshare" (util-linux) were not found');
  const basic = { bwrap, setpriv, unshare };
  let programs: SandboxPrograms = { ...basic, endsUserNamespaces: true };
  let problem = await tryRun(parts, programs, 'none');
  if (problem !== '') {
    const older: SandboxPrograms = { ...basic, endsUserNamespaces: false };
    const olderProblem = await tryRun(parts, older, 'none');
    if (olderProblem !== '') return none(olderProblem);
    problem = '';
    programs = older;
  }
  if (!parts.wantsNetwork) return { programs, problem, networkProblem: '' };
  return { problem, ...(await withNetwork(parts, programs)) };
}

async function withNetwork(
  parts: ProbeParts,
  programs: SandboxPrograms,
): Promise<Pick<Machine, 'programs' | 'networkProblem'>> {
  const pasta = findProgram('pasta', parts.searchPath);
  // The PATH of a plain user often lacks these folders.
  const ip = findProgram('ip', `${parts.searchPath ?? ''}:/usr/sbin:/sbin`);
  if (!pasta) return { programs, networkProblem: 'the program "pasta" was not found' };
  if (!ip) return { programs, networkProblem: 'the program "ip" was not found' };
  const networked = { ...programs, network: { pasta, ip } };
  const networkProblem = await tryRun(parts, networked, 'public');
  return networkProblem === '' ? { programs: networked, networkProblem } : { programs, networkProblem };
}

/** Returns the reason if it does not work, else the empty string. */
async function tryRun(
  { folders, builder, timeoutMs = TIMEOUT_MS }: ProbeParts,
  programs: SandboxPrograms,
  network: BuildNetwork,
): Promise<string> {
  const folder = toBuildFolder(await mkdtemp(path.join(os.tmpdir(), 'colophon-probe-')));
  try {
    await prepareFolder(folder, network, builder);
    const [program, ...args] = toSandboxCommand({
      ...{ programs, folders, folder, network, builder, ownAddresses: [], env: { PATH: folders.searchPath } },
      command: `touch works && node --version >/dev/null && echo '${WORKS}'`,
    });
    return await run(program, args, timeoutMs);
  } finally {
    await removeFolder(folder.path);
  }
}

function run(program: string, args: readonly string[], timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const;
    execFile(program, args, { ...options, env: {} }, (error, stdout, stderr) => {
      if (!error && stdout.trim() === WORKS) return resolve('');
      if (error?.killed) return resolve(`it did not answer within ${timeoutMs / 1000} s`);
      const said = stderr.trim().split('\n').at(-1)?.slice(0, 300);
      return resolve(said || `"${path.basename(program)}" ended with ${error?.code ?? 'another answer'}`);
    });
  });
}
