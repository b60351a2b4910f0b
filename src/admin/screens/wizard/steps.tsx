import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { WIZARD_STEPS } from './wish.ts';

/** Where one is. */
export function Steps({ at, isDone }: { at: number; isDone: boolean }) {
  return (
    <ol class="steps" aria-label={t('wizard.steps')}>
      {WIZARD_STEPS.map((step, index) => {
        const isPast = index < at || isDone;
        return (
          <li
            key={step}
            class={isPast ? 'past' : index === at ? 'here' : ''}
            aria-current={index === at ? 'step' : undefined}
          >
            <span class="step-number" aria-hidden="true">
              {isPast ? <Icon name="check" /> : index + 1}
            </span>
            {t(`wizard.step.${step}`)}
            {isPast && <span class="hidden">{t('wizard.stepDone')}</span>}
          </li>
        );
      })}
    </ol>
  );
}
