// A program that compiles the service and its threads into the folder that NODE_COMPILE_CACHE names, and ends. A module
// that refuses to run, because it is no thread here, is compiled all the same.
import { globSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { siblingUrl } from '../lib/sibling.ts';

/** Beside the threads: programs, and what is loaded when it is needed. */
const NAMED = ['main', 'serve', 'content/from-git/bulk-order', 'schedule/ics'];

const workers = globSync('**/*-worker.[jt]s', { cwd: path.join(import.meta.dirname, '..') });
for (const name of [...NAMED, ...workers.map((file) => file.slice(0, -path.extname(file).length))]) {
  await Promise.allSettled([import(siblingUrl(import.meta.url, `../${name}`).href)]);
}
flushCompileCache();
process.exit();
