// A program that compiles the service and its threads into the folder that NODE_COMPILE_CACHE names, and ends. A module
// that refuses to run because this is not its thread is compiled all the same.
import { globSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { siblingUrl } from '../lib/sibling.ts';

/** Compiled in addition to the threads: programs, and modules that are loaded on demand. */
const NAMED = ['main', 'serve', 'content/from-git/bulk-order', 'schedule/ics'];

const workers = globSync('**/*-worker.[jt]s', { cwd: path.join(import.meta.dirname, '..') });
for (const name of [...NAMED, ...workers.map((file) => file.slice(0, -path.extname(file).length))]) {
  await Promise.allSettled([import(siblingUrl(import.meta.url, `../${name}`).href)]);
}
flushCompileCache();
process.exit();
