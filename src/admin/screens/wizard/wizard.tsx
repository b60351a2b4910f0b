// A new instance in four steps. Each is checked by the service before the next one; what is being made goes on without
// this page, which finds it again.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { mayProvision } from '../../api/session.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { Loaded } from '../../ui/states.tsx';
import { Instances } from './instances.tsx';
import { Progress } from './progress.tsx';
import { Steps } from './steps.tsx';
import { useWizard } from './use-wizard.ts';
import {
  type BegunProvision,
  OPTIONS_URL,
  PROVISIONS_URL,
  type ProvisionOptions,
  toWishAgain,
  WIZARD_PATH,
} from './wish.ts';
import { WizardForm } from './wizard-form.tsx';

export default function Wizard() {
  const { session } = useAdmin();
  if (!mayProvision(session)) return <NoAccess right={t('right.sites:write')} />;
  return <LoadedWizard />;
}

function LoadedWizard() {
  const options = useResource<ProvisionOptions>(OPTIONS_URL);
  const begun = useResource<{ provisions: readonly BegunProvision[] }>(PROVISIONS_URL);
  // No event reports them.
  useEffect(begun.refresh, []);
  return (
    <Screen heading={t('wizard.title')}>
      <Loaded state={options.state} onRetry={options.refresh}>
        {(known) => (
          <Loaded state={begun.state} onRetry={begun.refresh}>
            {({ provisions }) => <KnownWizard options={known} {...{ provisions }} onChange={begun.refresh} />}
          </Loaded>
        )}
      </Loaded>
    </Screen>
  );
}

interface KnownWizardProps {
  options: ProvisionOptions;
  provisions: readonly BegunProvision[];
  onChange(): void;
}

function KnownWizard({ options, provisions, onChange }: KnownWizardProps) {
  const go = useNavigate();
  const isThere = useRef(true);
  useEffect(() => () => void (isThere.current = false), []);
  /** An answer that comes late takes nobody back from another screen. */
  const navigate = (...to: Parameters<typeof go>): void => (isThere.current ? go(...to) : undefined);
  const { id } = useLocation().query;
  const running = provisions.find(({ status }) => status === 'running');
  const wizard = useWizard(options, (begunId) => {
    onChange();
    navigate(`${WIZARD_PATH}?id=${encodeURIComponent(begunId)}`);
  });
  const [hasLooked, setLooked] = useState(false);
  useEffect(() => {
    // Once, when the page opens: from then on one goes where one likes.
    setLooked(true);
    if (id === undefined && running) navigate(`${WIZARD_PATH}?id=${encodeURIComponent(running.id)}`, true);
  }, []);
  const isRefused = Object.keys(wizard.errors).length > 0;
  useEffect(() => {
    // What was refused is put right in its step.
    if (id !== undefined && isRefused) navigate(WIZARD_PATH);
  }, [isRefused]);
  const shown = id === undefined ? undefined : provisions.find((one) => one.id === id);

  function goOn(provision: BegunProvision): void {
    wizard.resume(toWishAgain(provision));
    navigate(WIZARD_PATH);
  }

  return (
    <div class="wizard">
      <p class="help">{t('wizard.text')}</p>
      <Steps at={id === undefined ? wizard.at : 3} isDone={shown?.status === 'done'} />
      {id !== undefined && wizard.problem && (
        <p class="problem" role="alert">
          {wizard.problem}
        </p>
      )}
      {id !== undefined && (
        <Progress
          key={id}
          {...{ id, provision: shown, turn: wizard.turn, onChange }}
          onAgain={() => {
            if (wizard.hasTokenFor(shown?.appName)) void wizard.begin();
            else if (shown) goOn(shown);
          }}
          onLeave={() => {
            wizard.restart();
            onChange();
            navigate(WIZARD_PATH);
          }}
        />
      )}
      {id === undefined && hasLooked && (
        <>
          <WizardForm wizard={wizard} options={options} />
          {wizard.at === 0 && <Instances {...{ provisions, onChange }} onGoOn={goOn} />}
        </>
      )}
    </div>
  );
}
