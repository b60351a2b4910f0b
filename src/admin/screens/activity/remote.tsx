// The git host that the site exchanges its commits with.

import { useState } from 'preact/hooks';
import type { Answer } from '../../api/answer.ts';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { Time } from '../../shell/time.tsx';
import { useFresh } from '../../shell/use-fresh.ts';
import { useLive } from '../../shell/use-live.ts';
import { t } from '../../text/translate.ts';
import { CommitId, type Fact, Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Working } from '../../ui/working.tsx';
import { Resolve } from './resolve.tsx';

const REMOTE_URL = '/api/admin/remote';

type RemoteState = Answer<'/api/admin/remote'>;

export function Remote() {
  const { state, refresh } = useFresh<RemoteState>(REMOTE_URL);
  useLive(['change', 'media', 'hello'], refresh);
  return (
    <Loaded state={state} onRetry={refresh}>
      {(remote) => <KnownRemote remote={remote} refresh={refresh} />}
    </Loaded>
  );
}

function KnownRemote({ remote, refresh }: { remote: RemoteState; refresh(): void }) {
  const { request, messages, session } = useAdmin();
  const [isBusy, setBusy] = useState(false);
  const { url, branch, push, remoteHead, ahead, behind, lastFetchAt, lastPushAt, lastError, moved } = remote;
  const when = (at: string | null) => (at === null ? t('remote.never') : <Time at={at} />);

  async function sync(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    try {
      await request('POST', `${REMOTE_URL}/sync`);
      messages.notify(t('remote.synced'));
    } catch (error) {
      messages.fail(toSentence(error));
    } finally {
      setBusy(false);
      refresh();
    }
  }

  const facts: Fact[] = [
    [t('remote.url'), <bdi key="url">{url}</bdi>],
    [t('remote.branch'), <code key="branch">{branch}</code>],
    [t('remote.head'), remoteHead === null ? t('repository.noHead') : <CommitId commit={remoteHead} />],
    [t('remote.state'), toState(ahead, behind, push)],
    [t('remote.fetched'), when(lastFetchAt)],
    ...(push ? [[t('remote.pushed'), when(lastPushAt)] as const] : []),
  ];
  return (
    <>
      {moved && (
        <Resolve
          url={`${REMOTE_URL}/resolve`}
          text={t('remote.moved')}
          ours={{ commit: moved.seen, text: t(push ? 'remote.ours' : 'remote.oursNotPushed'), mayBeKept: push }}
          theirs={{ commit: moved.theirs, text: t('remote.theirs'), mayBeKept: moved.theirs !== null }}
          onDone={refresh}
        />
      )}
      {lastError && !moved && isOpen(lastError.at, lastFetchAt) && (
        <div class="problem" role="alert">
          <p>
            <bdi>{toSentence(new Error(lastError.message))}</bdi>
          </p>
          <p class="help">{when(lastError.at)}</p>
        </div>
      )}
      {remote.warnings.length > 0 && (
        <div class="problem">
          {remote.warnings.map((warning) => (
            <p key={warning}>
              <bdi>{toSentence(new Error(warning))}</bdi>
            </p>
          ))}
        </div>
      )}
      <Facts facts={facts} />
      {session.may('sites:write') && (
        <p class="buttons">
          <button type="button" aria-disabled={isBusy} onClick={() => void sync()}>
            {t('remote.sync')}
          </button>
          {isBusy && <Working text={t('remote.syncing')} />}
        </p>
      )}
    </>
  );
}

/** Whether nothing has worked since the error. */
function isOpen(errorAt: string, workedAt: string | null): boolean {
  return workedAt === null || errorAt > workedAt;
}

function toState(ahead: number, behind: number, push: boolean): string {
  const parts = [
    ...(push && ahead > 0 ? [t('remote.ahead', { count: ahead })] : []),
    ...(behind > 0 ? [t('remote.behind', { count: behind })] : []),
  ];
  return parts.length === 0 ? t('remote.same') : parts.join(', ');
}
