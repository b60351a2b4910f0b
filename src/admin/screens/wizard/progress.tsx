// A new instance while it is made, and what to do once it is, or is not.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import type { ProvisionEnd, ProvisionSoFar, StepEvent } from './events.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { useEvents } from './use-events.ts';
import type { BegunProvision } from './wish.ts';

export interface ProgressProps {
  id: string;
  /** Undefined if the list does not have it yet, or any more. */
  provision: BegunProvision | undefined;
  turn: number;
  /** The list of them is old. */
  onChange(): void;
  onAgain(): void;
  onLeave(): void;
}

export function Progress({ id, provision, turn, onChange, onAgain, onLeave }: ProgressProps) {
  const { so, isLost, retry } = useEvents(id, turn);
  const [isRemoving, setRemoving] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const kind = so.end?.kind;
  useLayoutEffect(() => heading.current?.focus(), [kind]);
  useEffect(() => {
    if (kind) onChange();
  }, [kind]);
  const title = !kind
    ? t('wizard.of', { app: provision?.appName ?? '' })
    : t(kind === 'done' ? 'wizard.doneTitle' : 'wizard.failed');

  return (
    <section class="wizard-step" aria-labelledby="wizard-progress">
      <h2 id="wizard-progress" ref={heading} tabIndex={-1}>
        {isLost && !provision ? t('wizard.goneTitle') : title}
      </h2>
      {!kind && !isLost && <progress max={100} value={so.percent} aria-label={t('wizard.percent')} />}
      {so.end?.kind === 'error' && (
        <p class="problem" role="alert">
          {toSentence(so.end.message)}
        </p>
      )}
      {so.end?.kind === 'done' && <Ready {...so.end} />}
      {isLost && provision && (
        <p class="problem" role="alert">
          {t('wizard.lost')}
        </p>
      )}
      <StepLog so={so} isLost={isLost} />
      <div class="buttons">
        {isLost && provision && (
          <button type="button" onClick={retry}>
            {t('state.again')}
          </button>
        )}
        {kind === 'error' && (
          <button type="button" class="primary" onClick={onAgain}>
            {t('wizard.again')}
          </button>
        )}
        {(kind || (isLost && !provision)) && (
          <button type="button" onClick={onLeave}>
            {t('wizard.another')}
          </button>
        )}
        {provision && (
          <button
            type="button"
            onClick={() => {
              onChange();
              setRemoving(true);
            }}
          >
            {t(kind ? 'wizard.remove' : 'wizard.stop')}
          </button>
        )}
      </div>
      {isRemoving && provision && (
        <RemoveDialog
          provision={provision}
          verb={t(kind ? 'wizard.remove' : 'wizard.stop')}
          onClose={() => setRemoving(false)}
          onRemoved={onLeave}
        />
      )}
    </section>
  );
}

function StepLog({ so, isLost }: { so: ProvisionSoFar; isLost: boolean }) {
  return (
    <div class="step-log" role="log" aria-label={t('wizard.progress')}>
      {so.steps.length === 0 && !isLost && <p class="help">{t('wizard.connecting')}</p>}
      {so.steps.map((step) => (
        <StepLine key={step.step} {...step} />
      ))}
    </div>
  );
}

function StepLine({ status, message }: StepEvent) {
  return (
    <p class={`step-line step-${status}`}>
      {status === 'running' ? (
        <span class="spinner" aria-hidden="true" />
      ) : (
        <Icon name={status === 'done' ? 'check' : 'warning'} />
      )}
      {toSentence(message)}
    </p>
  );
}

function Ready({ url, setupUrl }: ProvisionEnd) {
  const next: ComponentChildren[] = [
    ...(setupUrl ? [t('wizard.next1')] : []),
    t('wizard.next2', { url: `${url}/admin` }),
    t('wizard.next3'),
  ];
  return (
    <>
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          {t('wizard.visit', { url })} <Icon name="external" />
        </a>
      </p>
      {setupUrl ? (
        <p>
          <a class="button primary" href={setupUrl} target="_blank" rel="noreferrer">
            {t('wizard.setup')} <Icon name="external" />
          </a>
        </p>
      ) : (
        <p class="help">{t('wizard.setupGone')}</p>
      )}
      <ol class="next">
        {next.map((text, index) => (
          <li key={`${index}`}>{text}</li>
        ))}
      </ol>
    </>
  );
}
