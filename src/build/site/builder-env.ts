// The environment of a build's process and of a builder's threads: nothing but the folder of code that is compiled
// already. Without it they need longer to load the stripper of types than for the rest of their start.
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';

export function builderEnv(): Record<string, string> {
  const compiled = getCompileCacheDir();
  // Node reports its own subfolder of the folder that it was given.
  return compiled === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(compiled) };
}
