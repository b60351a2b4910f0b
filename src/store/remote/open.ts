// Opens a site's remote as its configuration says.

import type { ElapsedMs } from '../../lib/time/elapsed.ts';
import type { Warn } from '../../lib/warn.ts';
import { nodeDisk } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';
import type { DiskWork } from '../repository/disk-work.ts';
import { createRemoteLfs, type RemoteBytes } from './lfs.ts';
import { withLfs } from './lfs-end.ts';
import { createRemote, type Remote } from './remote.ts';
import type { OwnLog } from './sightings.ts';
import { createThreadRemoteEnd } from './thread.ts';

export interface RemoteOptions {
  config: { url: string; branch: string; tokenEnv?: string | undefined; push: boolean };
  /** Value of the environment variable that the configuration names. */
  token: string | undefined;
  repository: string;
  work: DiskWork;
  log: OwnLog;
  /** The site's media; undefined if they stay out of it (`remote.lfs`). */
  bytes: RemoteBytes | undefined;
  /** Whether the host may name addresses inside the network for media. */
  allowPrivate?: (() => boolean) | undefined;
  /** See ChoiceParts. */
  markExternal(ours: Oid | null, theirs: Oid): Promise<void>;
  now: () => Date;
  elapsedMs?: ElapsedMs;
  warn: Warn;
}

export function openRemote({ config, token, repository, bytes, allowPrivate, ...rest }: RemoteOptions): Remote {
  const { url, branch, tokenEnv, push } = config;
  const end = createThreadRemoteEnd({ repository, url, branch, token, tokenEnv });
  const nowMs = (): number => rest.now().getTime();
  const lfs = bytes && createRemoteLfs({ url, token, tokenEnv, allowPrivate }, bytes, nowMs);
  const isMissing = tokenEnv !== undefined && !token;
  return createRemote({
    ...rest,
    url,
    branch,
    push,
    repository,
    disk: nodeDisk,
    end: lfs ? withLfs({ end, lfs, bytes, nowMs, warn: rest.warn }) : end,
    problem: isMissing
      ? `the variable "${tokenEnv}" of remote.tokenEnv is not set: nothing is fetched or pushed`
      : undefined,
  });
}
