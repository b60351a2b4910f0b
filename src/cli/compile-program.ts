// A program that compiles the service and its threads into the folder that NODE_COMPILE_CACHE names, and ends. A module
// that refuses to run, because it is no thread here, is compiled all the same.
import { globSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCES = path.join(import.meta.dirname, '..');

/** What threads and timers load when they need it is named here too. */
const LOADED = ['main.ts', 'serve.ts', 'content/bulk-order.ts', 'schedule/ics.ts'];

for (const file of [...LOADED, ...globSync('**/*-worker.ts', { cwd: SOURCES })]) {
  await Promise.allSettled([import(pathToFileURL(path.join(SOURCES, file)).href)]);
}
flushCompileCache();
process.exit();
