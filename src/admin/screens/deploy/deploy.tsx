// Deploys: one press, what happens, what failed, and the way back.
import '../../text/en-deploy.ts';
import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { type DeployRun, findActive, isActive } from '../../publishing/deploys.ts';
import { type KnownDeploys, useDeploys } from '../../publishing/use-deploys.ts';
import { useAdmin } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { NotFound, Screen } from '../../shell/screen.tsx';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { Failed, Loading } from '../../ui/states.tsx';
import { DeployNow } from './deploy-now.tsx';
import { Revalidations } from './revalidations.tsx';
import { NoLog, RunLog } from './run-log.tsx';
import { Runs } from './runs.tsx';
import { Workflow } from './workflow.tsx';

/** Counts of files come with no event. */
const PROGRESS_MS = 2000;

export default function DeployScreen() {
  const { session } = useAdmin();
  if (!session.may('deploy:read')) return <NoAccess right={t('right.deploy:read')} />;
  return <KnownDeploy />;
}

function KnownDeploy() {
  const { id } = useRoute().params;
  const { known, error, refresh } = useDeploys();
  // Settings change without an event.
  useEffect(refresh, []);
  const isUnderWay = known !== undefined && findActive(known.runs) !== undefined;
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(refresh, PROGRESS_MS);
    return () => clearInterval(timer);
  }, [isUnderWay]);
  if (known && id !== undefined && !known.runs.some((run) => run.id === id)) return <NotFound />;
  return (
    <Screen heading={t('deploy.title')}>
      <div class="deploy">
        {error !== undefined && <Failed error={error} onRetry={refresh} />}
        {!known && error === undefined && <Loading lines={6} />}
        {known && <Deploys known={known} id={id} />}
        <Workflow />
        <Revalidations />
      </div>
    </Screen>
  );
}

/** Without an id in the address the log is that of the run under way, or else of the newest one. */
function Deploys({ known, id }: { known: KnownDeploys; id: string | undefined }) {
  const navigate = useNavigate();
  const [opened, setOpened] = useState<string>();
  const run = id === undefined ? newestOf(known.runs) : known.runs.find((one) => one.id === id);
  return (
    <>
      <DeployNow
        known={known}
        onAsked={() => {
          if (id !== undefined) navigate('/admin/deploy');
        }}
      />
      {run ? <RunLog key={run.id} run={run} hasFocus={opened === run.id} /> : <NoLog />}
      <Runs known={known} shown={run?.id} onOpen={setOpened} />
    </>
  );
}

function newestOf(runs: readonly DeployRun[]): DeployRun | undefined {
  return findActive(runs) ?? runs.find((run) => !isActive(run));
}
