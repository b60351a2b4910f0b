import { t } from '../../text/translate.ts';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { StepProps } from './wizard-form.tsx';

/** Browsers offer to keep passwords, and none keeps a one-time code. */
export const TOKEN_AUTOCOMPLETE = 'one-time-code';

const AI_KEYS = [
  ['ANTHROPIC_API_KEY', 'wizard.anthropicKey'],
  ['OPENAI_API_KEY', 'wizard.openaiKey'],
] as const;

export function Connect({
  wizard: { wish, token, organizations, errors, aiKeys, change, setToken, setAiKeys },
}: StepProps) {
  return (
    <div class="wizard-fields">
      <TextField
        label={t('wizard.token')}
        name="token"
        type="password"
        value={token}
        autocomplete={TOKEN_AUTOCOMPLETE}
        help={t('wizard.tokenHelp')}
        error={errors.flyToken}
        onInput={setToken}
      />
      {organizations.length > 1 && (
        <SelectField
          label={t('wizard.organisation')}
          value={wish.flyOrg}
          options={[
            ...(wish.flyOrg === '' ? [{ value: '', label: t('wizard.choose') }] : []),
            ...organizations.map((value) => ({ value, label: value })),
          ]}
          error={errors.flyOrg}
          onChange={(flyOrg) => change({ flyOrg })}
        />
      )}
      {AI_KEYS.map(([variable, label]) => (
        <TextField
          key={variable}
          label={t(label)}
          name={variable}
          type="password"
          value={aiKeys[variable] ?? ''}
          autocomplete={TOKEN_AUTOCOMPLETE}
          help={t('wizard.aiKeyHelp')}
          onInput={(key) => setAiKeys({ ...aiKeys, [variable]: key })}
        />
      ))}
    </div>
  );
}
