import { t } from '../../text/translate.ts';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toAddress, toRegionName } from './wish.ts';
import type { StepProps } from './wizard-form.tsx';

export function Configure({ wizard: { wish, errors, change }, options }: StepProps) {
  const isName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(wish.appName);
  return (
    <div class="wizard-fields">
      <TextField
        label={t('wizard.appName')}
        name="appName"
        value={wish.appName}
        autocomplete="off"
        help={isName ? t('wizard.appNameAddress', { url: toAddress(wish.appName) }) : t('wizard.appNameHelp')}
        error={errors.appName}
        onInput={(appName) => change({ appName })}
      />
      <SelectField
        label={t('wizard.region')}
        value={wish.region}
        options={options.regions.map((value) => ({ value, label: toRegionName(value) }))}
        error={errors.region}
        onChange={(region) => change({ region })}
      />
      <SelectField
        label={t('wizard.size')}
        value={wish.vmSize}
        options={options.sizes.map((value) => ({ value, label: value }))}
        error={errors.vmSize}
        onChange={(vmSize) => change({ vmSize })}
      />
      <TextField
        label={t('wizard.email')}
        name="adminEmail"
        type="email"
        value={wish.adminEmail}
        autocomplete="off"
        help={t('wizard.emailHelp')}
        error={errors.adminEmail}
        onInput={(adminEmail) => change({ adminEmail })}
      />
      {options.needsImage && (
        <TextField
          label={t('wizard.image')}
          name="image"
          value={wish.image}
          autocomplete="off"
          help={t('wizard.imageHelp')}
          error={errors.image}
          onInput={(image) => change({ image })}
        />
      )}
    </div>
  );
}
