import { useId } from 'preact/hooks';
import { t } from '../../text/translate.ts';
import type { StepProps } from './wizard-form.tsx';

/** Sites to begin with, each with its picture and a sentence. */
export function TemplateChoice({ wizard: { wish, errors, change }, options }: StepProps) {
  const id = useId();
  return (
    <>
      <div class="templates" role="radiogroup" aria-label={t('wizard.template')}>
        {options.templates.map(({ name, title, description, image }) => (
          <label class="template" key={name}>
            <img src={image} alt="" loading="lazy" width="320" height="200" />
            <span class="template-name">
              <input
                type="radio"
                name={`${id}-template`}
                value={name}
                checked={wish.template === name}
                aria-labelledby={`${id}-${name}`}
                aria-describedby={`${id}-${name}-text`}
                aria-invalid={errors.template ? 'true' : undefined}
                onChange={() => change({ template: name })}
              />
              <span id={`${id}-${name}`}>
                {title} <small>{name}</small>
              </span>
            </span>
            <span class="help" id={`${id}-${name}-text`}>
              {description}
            </span>
          </label>
        ))}
      </div>
      {errors.template && <p class="error">{errors.template}</p>}
    </>
  );
}
