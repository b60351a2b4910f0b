// The sandbox of build commands as the environment wants it, for the service and for `colophon build`.
import os from 'node:os';
import path from 'node:path';
import { type BuildSandbox, createBuildSandbox } from '../build/sandbox/sandbox.ts';
import type { Env } from '../config/env.ts';
import type { SiteConfig } from '../config/site-config.ts';

export function openBuildSandbox({
  env,
  variables,
  warn,
}: {
  env: Env;
  variables: Readonly<Record<string, string | undefined>>;
  warn(message: string): void;
}): BuildSandbox {
  return createBuildSandbox({
    variables,
    wantsNetwork: env.buildNetwork,
    isUnconfined: env.unconfinedBuilds,
    paths: env.buildPaths,
    // Also those that lie below a folder which builds may read, such as /usr/src/app.
    hidden: [env.dataDir, env.sitesDir, path.dirname(env.configPath), process.cwd(), os.homedir()],
    warn,
  });
}

/** The sites' own outsiders, and those who may push to the remote. */
export function findBuildOutsider(config: SiteConfig, ofAccess: () => string | undefined): string | undefined {
  return config.remote ? 'it takes over what is pushed to its remote' : ofAccess();
}
