// Asks the machine's docker: whether it answers, and to remove containers of builds. Every request has a deadline.
import { execFile } from 'node:child_process';
import { invalid } from '../../lib/errors.ts';

type Environment = Readonly<Record<string, string>>;

const LOOK_MS = 2000;
const REMOVE_MS = 20_000;

/** @throws 400 if no docker answers within two seconds */
export async function checkDocker(env: Environment): Promise<void> {
  const { problem } = await runDocker(['version', '--format', '{{.Server.Version}}'], env, LOOK_MS);
  if (problem === undefined) return;
  throw invalid(
    `build.docker: no docker answers on this machine (${problem}); install it, let the service use it, or remove build.docker to build without a container`,
  );
}

/** Ends a container at once, whether or not it has begun. */
export async function removeContainer(name: string, env: Environment): Promise<void> {
  await runDocker(['rm', '--force', name], env, REMOVE_MS);
}

/** Removes containers that an earlier process left. */
export async function removeContainersOf(label: string, env: Environment): Promise<void> {
  const filter = `label=colophon.builds=${label}`;
  const { output } = await runDocker(['ps', '--all', '--quiet', '--filter', filter], env, LOOK_MS);
  for (const id of output.split(/\s+/)) if (/^[0-9a-f]+$/.test(id)) await removeContainer(id, env);
}

function runDocker(
  args: readonly string[],
  env: Environment,
  timeoutMs: number,
): Promise<{ output: string; problem?: string }> {
  return new Promise((resolve) => {
    execFile('docker', args, { env, timeout: timeoutMs, killSignal: 'SIGKILL' }, (error, output, stderr) => {
      if (!error) return resolve({ output });
      const said = stderr.trim().split('\n').at(-1)?.slice(0, 200);
      const problem = error.killed
        ? `it did not answer within ${timeoutMs / 1000} s`
        : error.code === 'ENOENT' || error.code === 'EACCES'
          ? 'the program "docker" was not found'
          : said || `it ended with ${error.code}`;
      return resolve({ output, problem });
    });
  });
}
