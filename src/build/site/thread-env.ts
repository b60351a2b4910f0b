// The environment of a builder's threads: nothing but the folder of code that is compiled already. A thread that does not
// have it needs longer to load its types' stripper than for the rest of its start.
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';

export function threadEnv(): Record<string, string> {
  const compiled = getCompileCacheDir();
  // Node reports its own subfolder of the folder that it was given.
  return compiled === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(compiled) };
}
