// The four steps as forms: Enter continues, and the focus goes to what is wrong, or to the next step's heading.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../text/translate.ts';
import { Configure } from './configure.tsx';
import { Connect } from './connect.tsx';
import { Summary } from './summary.tsx';
import { TemplateChoice } from './template-choice.tsx';
import type { WizardState } from './use-wizard.ts';
import { type ProvisionOptions, WIZARD_STEPS } from './wish.ts';

export interface StepProps {
  wizard: WizardState;
  options: ProvisionOptions;
}

const BODIES = [TemplateChoice, Configure, Connect, Summary] as const;

export function WizardForm({ wizard, options }: StepProps) {
  const { at, errors, problem, isBusy } = wizard;
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [at]);
  useLayoutEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  const Body = BODIES[at] ?? Summary;
  return (
    <form
      ref={form}
      class="wizard-step"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void (at === 3 ? wizard.begin() : wizard.next());
      }}
    >
      <h2 ref={heading} tabIndex={-1}>
        {t(`wizard.step.${WIZARD_STEPS[at] ?? 'deploy'}`)}
      </h2>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Body wizard={wizard} options={options} />
      <div class="buttons">
        <WorkButton isBusy={isBusy}>
          {at < 3 ? t('wizard.continue') : isBusy ? t('wizard.starting') : t('wizard.deploy')}
        </WorkButton>
        {at > 0 && (
          <button type="button" onClick={wizard.back}>
            {t('wizard.back')}
          </button>
        )}
      </div>
    </form>
  );
}

/** It keeps the focus while it works, which a disabled button would lose. */
function WorkButton({ isBusy, children }: { isBusy: boolean; children: ComponentChildren }) {
  return (
    <button type="submit" class="primary" aria-disabled={isBusy}>
      {children}
    </button>
  );
}
