// Starts the service with what an earlier start made of its sources: types are stripped and code is compiled once. It is
// kept in the data folder, which is nobody else's and there for the next start too; it may be deleted at any time.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { endWithNpm } from './cli/end-with-npm.ts';

// What is compiled now is written into it.
process.umask(0o077);

// Only where an earlier start has been: one that fails leaves nothing in a folder that was empty.
const dataDir = path.resolve(process.env.CMS_DATA_DIR || '.data');
if (existsSync(path.join(dataDir, 'lock.pid'))) enableCompileCache(path.join(dataDir, 'cache'));

endWithNpm(process.env);

// Only now, so that all of it is found there.
const { startService } = await import('./serve.ts');
await startService(process.env);
