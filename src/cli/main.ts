// The process behind the `colophon` command; colophon.js makes sure that a new enough Node runs it.
import { endWithNpm } from './end-with-npm.ts';
import { takeVariables } from './environ/take.ts';
import { becomeLean } from './lean.ts';

const variables = takeVariables(process.env);

// Ends with the launcher: a service that outlived it would hold the data folder with no way to stop it.
if (variables.COLOPHON_LAUNCHED && process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

becomeLean(variables, process.argv[2] === 'start' ? undefined : []);
endWithNpm(variables);

// A program that reads our output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

/** What these commands write is outside the data folder, and the user's umask decides who may read it. */
const FOR_OTHERS = new Set(['build', 'export', 'init', 'openapi', 'types']);
if (!FOR_OTHERS.has(process.argv[2] ?? '')) process.umask(0o077);

const { run } = await import('./run.ts');
const { createPorts } = await import('./wiring.ts');

// Not process.exit: output on its way to a pipe would be lost, and `start` goes on after this line.
process.exitCode = await run(process.argv.slice(2), createPorts(variables));
