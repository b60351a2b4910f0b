// One sync with the remote, as the service makes it now and then.
import { createRemoteEnd } from '../../../src/store/remote/end.ts';
import { createRemoteSync } from '../../../src/store/remote/sync.ts';
import { HOST_URL } from './host.ts';
import { listLog } from './logged.ts';
import { REPOSITORY, type Stage } from './stage.ts';

/** Fetches, accepts or replays, and pushes; after a force-push one side is chosen. */
export async function syncWithHost(
  { host, disk, store, time, note }: HostedStage,
  keep: 'ours' | 'theirs' = 'theirs',
): Promise<void> {
  if (!host) throw new Error('there is no host');
  const end = createRemoteEnd({ repository: REPOSITORY, url: HOST_URL, branch: 'main' }, disk, host.connect);
  const sync = createRemoteSync({
    branch: 'main',
    push: true,
    end,
    disk,
    work: store.work,
    repository: REPOSITORY,
    log: store.log,
    now: () => new Date(0),
    warn: () => undefined,
    mayPush: () => true,
    pushes: () => undefined,
  });
  await time.until(sync.run(true));
  if (sync.sight.moved) await time.until(sync.choose(keep));
  await end.close();
  for (const { commit, changeId } of listLog(store.odb, store.log.status().gitHead))
    if (changeId === undefined) note({ kind: 'stands', commit });
}

type HostedStage = Pick<Stage, 'host' | 'disk' | 'store' | 'time' | 'note'>;
