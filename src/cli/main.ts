// The process behind the `colophon` command; colophon.js sees to it that a new enough Node runs this.
import { run } from './run.ts';
import { createPorts } from './wiring.ts';

// Not process.exit: what is on its way to a pipe would be lost, and `start` goes on after this line.
process.exitCode = await run(process.argv.slice(2), createPorts());
