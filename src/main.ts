// Starts the service with the code that an earlier start, or a program before this one, compiled (src/cli/compiled.ts).
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { keepCompiled, prepareCompiled, removeOutside } from './cli/compiled.ts';
import { endWithNpm } from './cli/end-with-npm.ts';
import { shownOf, takeVariables } from './cli/environ/take.ts';
import { becomeLean, leaveThreadsTheirs } from './cli/lean.ts';

// src/cli/compile-program.ts imports it in order to compile it, not to run it.
if (!import.meta.main) throw new Error('main.ts is a program, not a module');

const variables = takeVariables(process.env);

// Code compiled from here on is written into a folder that only its owner may read.
process.umask(0o077);

// If the disk does not answer, each file that waits for it holds a thread; reads and sign-ins need threads too.
process.env.UV_THREADPOOL_SIZE = variables.UV_THREADPOOL_SIZE ??= '16';

const dataDir = path.resolve(variables.CMS_DATA_DIR || '.data');
const compiled = prepareCompiled(dataDir, shownOf(variables));
// Set as a variable, because threads use it too.
if (compiled) process.env.NODE_COMPILE_CACHE = variables.NODE_COMPILE_CACHE = compiled;
becomeLean(variables);
leaveThreadsTheirs();
const folder = variables.NODE_COMPILE_CACHE;
if (folder) enableCompileCache(folder);
process.once('exit', () => removeOutside(folder));

endWithNpm(variables);

// Imported only now, so that all of it is found there.
const { startService } = await import('./serve.ts');
await startService(variables);
const kept = await keepCompiled(dataDir, folder);
// For threads that start from now on.
if (kept) process.env.NODE_COMPILE_CACHE = kept;
else delete process.env.NODE_COMPILE_CACHE;
removeOutside(folder);
