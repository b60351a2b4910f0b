// The repository of the site: what it has, whether it is sound, and which side counts after it was moved from outside.

import { useState } from 'preact/hooks';
import type { Answer } from '../../api/answer.ts';
import { toSentence } from '../../api/sentence.ts';
import { type SiteStatus, STATUS_URL } from '../../api/status.ts';
import { toSize } from '../../media/media-file.ts';
import { useAdmin } from '../../shell/admin.ts';
import { Time } from '../../shell/time.tsx';
import { useFresh } from '../../shell/use-fresh.ts';
import { useLive } from '../../shell/use-live.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { CommitId, Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Working } from '../../ui/working.tsx';
import { Remote } from './remote.tsx';
import { Resolve } from './resolve.tsx';

const REPOSITORY_URL = '/api/admin/repository';
const MOST_WARNINGS = 20;

type RepositoryState = Answer<'/api/admin/repository'>;
type Report = Answer<'/api/admin/repository/verify', 'post'>;

export function Repository() {
  const { state, refresh } = useFresh<RepositoryState>(REPOSITORY_URL);
  const status = useFresh<SiteStatus>(STATUS_URL);
  useLive(['change', 'media', 'hello'], () => {
    refresh();
    status.refresh();
  });
  return (
    <>
      <Card title={t('repository.title')} icon="history">
        <Loaded state={state} onRetry={refresh}>
          {(repository) => <Known repository={repository} refresh={refresh} />}
        </Loaded>
      </Card>
      <Card title={t('remote.title')} icon="globe">
        <Loaded state={status.state} onRetry={status.refresh}>
          {({ remote }) => (remote ? <Remote /> : <p class="empty">{t('remote.none')}</p>)}
        </Loaded>
      </Card>
    </>
  );
}

function Known({ repository, refresh }: { repository: RepositoryState; refresh(): void }) {
  const { session } = useAdmin();
  const { head, unflushed, refusal, moved, branches, warnings, sizeBytes, checked } = repository;
  return (
    <>
      {moved ? (
        <Resolve
          url={`${REPOSITORY_URL}/resolve`}
          text={t('repository.moved')}
          ours={{ commit: moved.ours, text: t('repository.ours'), mayBeKept: true }}
          theirs={{ commit: moved.theirs, text: t('repository.theirs'), mayBeKept: moved.theirs !== null }}
          onDone={refresh}
        />
      ) : (
        refusal && (
          <div class="problem" role="alert">
            {toSentence(new Error(refusal))}
          </div>
        )
      )}
      <Facts
        facts={[
          [t('repository.head'), head === null ? t('repository.noHead') : <CommitId commit={head} />],
          [t('repository.size'), toSize(sizeBytes)],
          [
            t('repository.checked'),
            checked === null ? (
              t('repository.neverChecked')
            ) : (
              <>
                <Time at={checked.at} />
                {', '}
                <span class={checked.problems > 0 ? 'error' : ''}>
                  {checked.problems > 0 ? t('repository.problems', { count: checked.problems }) : t('repository.sound')}
                </span>
              </>
            ),
          ],
          ...(unflushed > 0
            ? [[t('repository.unflushed'), t('repository.changes', { count: unflushed })] as const]
            : []),
        ]}
      />
      {session.may('sites:write') && <Verify onDone={refresh} />}
      <Proposals branches={branches} />
      {warnings.length > 0 && (
        <details>
          <summary>{t('repository.notShown', { count: warnings.length })}</summary>
          <ul class="notes">
            {warnings.slice(0, MOST_WARNINGS).map(({ path, problem }) => (
              <li key={path}>
                <code dir="ltr">{path}</code> <bdi>{problem}</bdi>
              </li>
            ))}
          </ul>
          {warnings.length > MOST_WARNINGS && (
            <p class="help">{t('dashboard.more', { count: warnings.length - MOST_WARNINGS })}</p>
          )}
        </details>
      )}
    </>
  );
}

function Verify({ onDone }: { onDone(): void }) {
  const { request, messages } = useAdmin();
  const [isBusy, setBusy] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);

  async function verify(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setProblems([]);
    try {
      const { data } = await request<Report>('POST', `${REPOSITORY_URL}/verify`);
      setProblems(data.problems);
      const { commits, documents } = data.counts;
      if (data.problems.length === 0) {
        messages.notify(
          `${t('repository.verified', { count: commits })} ${t('backups.documents', { count: documents })}.`,
        );
      }
    } catch (error) {
      messages.fail(toSentence(error));
    } finally {
      setBusy(false);
      onDone();
    }
  }

  return (
    <>
      <p class="buttons">
        <button type="button" aria-disabled={isBusy} onClick={() => void verify()}>
          {t('repository.verify')}
        </button>
        {isBusy && <Working text={t('repository.verifying')} />}
      </p>
      {problems.length > 0 && (
        <div class="problem" role="alert">
          <p>{t('repository.problems', { count: problems.length })}</p>
          <ul class="notes">
            {problems.slice(0, MOST_WARNINGS).map((one) => (
              <li key={one}>
                <bdi>{one}</bdi>
              </li>
            ))}
          </ul>
          <p class="help">{t('repository.problemsHelp')}</p>
        </div>
      )}
    </>
  );
}

/** Branches that were pushed for review. */
function Proposals({ branches }: Pick<RepositoryState, 'branches'>) {
  if (branches.length === 0) return null;
  return (
    <>
      <h3>{t('repository.proposals')}</h3>
      <ul class="rows" aria-label={t('repository.proposals')}>
        {branches.map(({ name, oid, movedAt, movedBy }) => (
          <li key={name}>
            <span class="row-title">
              <bdi>{name}</bdi> <CommitId commit={oid} />
            </span>
            <span class="help">
              {movedBy && <bdi>{movedBy.name} · </bdi>}
              {movedAt && <Time at={movedAt} />}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
