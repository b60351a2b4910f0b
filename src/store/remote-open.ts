// A site's remote as its configuration has it.

import type { ElapsedMs } from '../lib/elapsed.ts';
import { nodeDisk } from './disk.ts';
import type { DiskWork } from './disk-work.ts';
import type { Log } from './log.ts';
import type { Oid } from './objects.ts';
import { createRemote, type Remote } from './remote.ts';
import { createThreadRemoteEnd } from './remote-thread.ts';

export interface RemoteOptions {
  config: { url: string; branch: string; tokenEnv?: string | undefined; push: boolean };
  /** Of the environment variable that the configuration names. */
  token: string | undefined;
  repository: string;
  work: DiskWork;
  log: Log;
  /** See RemoteSyncParts. */
  markForeign(ours: Oid | null, theirs: Oid): Promise<void>;
  now: () => Date;
  elapsedMs?: ElapsedMs;
  warn(message: string, error?: unknown): void;
}

export function openRemote({ config, token, repository, ...rest }: RemoteOptions): Remote {
  const { url, branch, tokenEnv, push } = config;
  const isMissing = tokenEnv !== undefined && !token;
  return createRemote({
    ...rest,
    url,
    branch,
    push,
    repository,
    disk: nodeDisk,
    end: createThreadRemoteEnd({ repository, url, branch, token, tokenEnv }),
    problem: isMissing
      ? `the variable ${tokenEnv} of remote.tokenEnv is not set: nothing is fetched or pushed`
      : undefined,
  });
}
