// How things are, and the button. Without a target it says what to set, and who can.

import { useId, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { mayProvision } from '../../api/session.ts';
import { MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import { DeployButton } from '../../publishing/deploy-button.tsx';
import { LiveAddress } from '../../publishing/deploy-card.tsx';
import { type DeployState, type DeployTarget, findLiveRun } from '../../publishing/deploys.ts';
import { StateText } from '../../publishing/state-text.tsx';
import type { DeployWish, KnownDeploys } from '../../publishing/use-deploys.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { SelectField } from '../../ui/select-field.tsx';

export function DeployNow({ known, onAsked }: { known: KnownDeploys; onAsked(): void }) {
  const { session } = useAdmin();
  const { state, target, runs } = known;
  const live = findLiveRun(runs);
  return (
    <section class="card deploy-now" aria-label={t('deploy.state')}>
      <p class="deploy-line">
        <StateText state={state} />
        {target && <span class="help">{t('deployNow.to', { target: target.label })}</span>}
      </p>
      {state.kind === 'failed' && (
        <p class="help">
          {toSentence(state.run.error ?? '')}
          <br />
          {live && !state.run.mayBeLive && t('deployNow.stillLive')}
        </p>
      )}
      <LiveAddress url={live?.url} />
      {state.kind === 'unset' && <Unset target={target} missing={state.missing} />}
      {session.may('deploy:trigger') && target && target.missing.length === 0 && (
        <Choice target={target} onAsked={onAsked} />
      )}
      {mayProvision(session) && (
        <p>
          <a href="/admin/deploy/docker">{t('wizard.link')}</a>
        </p>
      )}
    </section>
  );
}

interface UnsetProps {
  target: DeployTarget | null;
  missing: (DeployState & { kind: 'unset' })['missing'];
}

/** The button stays in its place, and says why it is off. */
function Unset({ target, missing }: UnsetProps) {
  const { session } = useAdmin();
  const id = useId();
  return (
    <>
      <p id={id}>{target ? t('deployNow.missingText', { target: target.label }) : t('deployNow.unsetText')}</p>
      {missing.length > 0 && (
        <ul class="notes">
          {missing.map(({ path, message }) => (
            <li key={path}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <p class="buttons">
        {session.may('org:settings:write') && (
          <a class="button primary" href="/admin/settings/deploy">
            {t('deployNow.toSettings')}
          </a>
        )}
        {session.may('deploy:trigger') && <DeployButton offBecause={id} />}
      </p>
      {!session.may('org:settings:write') && <p class="help">{t('deployNow.askAdmin')}</p>}
    </>
  );
}

/** The profile if there are several, and whether it is a preview if the host has them. */
function Choice({ target, onAsked }: { target: DeployTarget; onAsked(): void }) {
  const { state } = useResource<Manifest>(MANIFEST_URL);
  const [profile, setProfile] = useState<string>();
  const [isPreview, setPreview] = useState(false);
  const id = useId();
  const { profiles = [], defaultProfile } = (state.kind === 'ready' ? state.data.build : undefined) ?? {};
  const chosen = profiles.find(({ name }) => name === (profile ?? defaultProfile)) ?? profiles[0];
  const hasDrafts = chosen?.drafts === true;
  const isPossible = target.hasPreviews || !hasDrafts;
  const wish: DeployWish = {
    ...(profiles.length > 1 && chosen && { profile: chosen.name }),
    ...((isPreview || hasDrafts) && { preview: true }),
  };
  return (
    <div class="deploy-choice">
      {profiles.length > 1 && (
        <SelectField
          label={t('deployNow.profile')}
          value={chosen?.name ?? ''}
          options={profiles.map(({ name }) => ({ value: name, label: name }))}
          onChange={setProfile}
        />
      )}
      {target.hasPreviews && (
        <div class="field deploy-preview">
          <input
            type="checkbox"
            id={`${id}-preview`}
            checked={isPreview || hasDrafts}
            disabled={hasDrafts}
            aria-describedby={`${id}-help`}
            onChange={(event) => setPreview(event.currentTarget.checked)}
          />
          <label for={`${id}-preview`}>{t('deployNow.preview')}</label>
          <p class="help" id={`${id}-help`}>
            {t(hasDrafts ? 'deployNow.draftsHelp' : 'deployNow.previewHelp')}
          </p>
        </div>
      )}
      {!isPossible && (
        <p class="help" id={`${id}-not`}>
          {t('deployNow.noPreviews', { target: target.label })}
        </p>
      )}
      <DeployButton class="primary" {...{ wish, onAsked }} offBecause={isPossible ? undefined : `${id}-not`} />
    </div>
  );
}
