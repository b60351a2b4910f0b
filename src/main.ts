// Starts the service with what an earlier start, or a program before it, made of its sources (src/cli/compiled.ts).
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { keepCompiled, prepareCompiled, removeOutside } from './cli/compiled.ts';
import { endWithNpm } from './cli/end-with-npm.ts';
import { becomeLean, leaveThreadsTheirs } from './cli/lean.ts';

// src/cli/compile-program.ts imports it, to have it compiled and not run.
if (!import.meta.main) throw new Error('main.ts is a program and no module');

// What is compiled now is written into a folder that nobody else may read.
process.umask(0o077);

// A disk that does not answer holds a thread for each file that waits for it; reads and sign-ins need some as well.
process.env.UV_THREADPOOL_SIZE ??= '16';

const dataDir = path.resolve(process.env.CMS_DATA_DIR || '.data');
const compiled = prepareCompiled(dataDir, process.env);
// As a variable, threads use it too.
if (compiled) process.env.NODE_COMPILE_CACHE = compiled;
becomeLean(process.env);
leaveThreadsTheirs();
const folder = process.env.NODE_COMPILE_CACHE;
if (folder) enableCompileCache(folder);
process.once('exit', () => removeOutside(folder));

endWithNpm(process.env);

// Only now, so that all of it is found there.
const { startService } = await import('./serve.ts');
await startService(process.env);
const kept = await keepCompiled(dataDir, folder);
// For threads that start from now on.
if (kept) process.env.NODE_COMPILE_CACHE = kept;
else delete process.env.NODE_COMPILE_CACHE;
removeOutside(folder);
