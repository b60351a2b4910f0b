// Whether a file is a configuration that a site can be opened with.
import { loadConfig } from '../config/load.ts';
import { ConfigError } from '../config/parse.ts';
import type { Problem } from '../lib/errors.ts';

/** Its problems; empty if it has no problem. */
export async function checkConfig(file: string): Promise<Problem[]> {
  try {
    await loadConfig(file);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
