// The process behind the `colophon` command; colophon.js sees to it that a new enough Node runs this.
import { endWithNpm } from './end-with-npm.ts';
import { becomeLean } from './lean.ts';
import { run } from './run.ts';
import { createPorts } from './wiring.ts';

// The launcher's end is ours: a service that outlived it would hold the data folder with nobody to stop it.
if (process.env.COLOPHON_LAUNCHED && process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

if (process.argv[2] === 'start') becomeLean(process.env);
endWithNpm(process.env);

// Whoever reads our output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

/** What they make lies beside the data folder, for whoever the user says. */
const FOR_OTHERS = new Set(['export', 'init', 'openapi']);
if (!FOR_OTHERS.has(process.argv[2] ?? '')) process.umask(0o077);

// Not process.exit: what is on its way to a pipe would be lost, and `start` goes on after this line.
process.exitCode = await run(process.argv.slice(2), createPorts());
