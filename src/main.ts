// Starts the service with what an earlier start made of its sources: types are stripped and code is compiled once. It is
// kept in the data folder, which is nobody else's and there for the next start too; it may be deleted at any time.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// What is compiled now is written into it.
process.umask(0o077);

// A disk that does not answer holds a thread for each file that waits for it; reads and sign-ins need some as well.
process.env.UV_THREADPOOL_SIZE ??= '16';

// The service makes the folder, for itself alone: the first start of all keeps nothing.
const dataDir = path.resolve(process.env.CMS_DATA_DIR || '.data');
if (existsSync(dataDir)) enableCompileCache(path.join(dataDir, 'cache'));

// Only now, so that all of it is found there.
const { startService } = await import('./serve.ts');
await startService(process.env);
