// Runs a program as the leader of a process group of its own, with exactly the environment that is given, and leaves no
// process behind: neither after its end nor at its deadline.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { within } from '../../lib/time/within.ts';
import { BuildError } from '../build.ts';
import { createBoundedOutput } from './bounded-output.ts';
import { endProcesses } from './processes.ts';

export interface CommandRun {
  program: string;
  args: readonly string[];
  /** Absolute path of its working directory. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** A variable of `env`, by which processes that left the group are found. */
  mark: string;
  timeoutMs: number;
  graceMs?: number;
  log(text: string): void;
  signal: AbortSignal;
  /** Ends what is not a process of this machine, once the program was ended from outside. */
  onCut?(): Promise<void>;
}

/** How long output is read after the end of all processes; what is in the pipe is read in a moment. */
const DRAIN_MS = 1000;

/** @throws BuildError unless it exits with 0 in time. */
export async function runCommand(run: CommandRun): Promise<void> {
  const { program, args, cwd, env, mark, timeoutMs, graceMs, signal } = run;
  throwIfCancelled(signal);
  const output = createBoundedOutput(run.log);
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const { stdout, stderr } = child;
  for (const stream of [stdout, stderr]) stream.on('data', output.write);
  // A program that cannot be started is reported below.
  const closed = once(child, 'close').catch(() => undefined);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const ending = { group: child.pid, mark, ...(graceMs === undefined ? {} : { graceMs }) };
  try {
    const ended = await untilEnded(child, deadline);
    const isCut = ended === undefined;
    await Promise.all([endProcesses(ending), isCut || ended.signal ? run.onCut?.() : undefined]);
    await within(DRAIN_MS, closed);
    throwIfCancelled(signal);
    if (isCut) throw new BuildError(`the command took longer than ${timeoutMs / 1000} s and was ended`);
    judge(ended);
  } finally {
    for (const stream of [stdout, stderr]) stream.destroy();
    output.end();
  }
}

export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new BuildError('the build was cancelled');
}

interface ProgramEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Undefined at the deadline. @throws BuildError if the program cannot be started. */
async function untilEnded(child: ChildProcess, deadline: AbortSignal): Promise<ProgramEnd | undefined> {
  try {
    const [code, signal] = await once(child, 'exit', { signal: deadline });
    return { code, signal };
  } catch (error) {
    if (deadline.aborted) return undefined;
    throw new BuildError(`the command cannot be started: ${(error as Error).message}`);
  }
}

function judge({ code, signal }: ProgramEnd): void {
  if (code === 0) return;
  throw new BuildError(signal ? `the command was ended by ${signal}` : `the command ended with exit code ${code}`);
}
