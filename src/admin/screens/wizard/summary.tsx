import { t } from '../../text/translate.ts';
import { toAddress, toRegionName } from './wish.ts';
import type { StepProps } from './wizard-form.tsx';

/** What is made, before it costs something. */
export function Summary({ wizard: { wish, note }, options }: StepProps) {
  const template = options.templates.find(({ name }) => name === wish.template);
  const lines: [string, string][] = [
    [t('wizard.template'), template?.title ?? wish.template],
    [t('wizard.appName'), wish.appName],
    [t('wizard.address'), toAddress(wish.appName)],
    [t('wizard.region'), toRegionName(wish.region)],
    [t('wizard.size'), wish.vmSize],
    [t('wizard.email'), wish.adminEmail],
    ...(wish.image ? ([[t('wizard.image'), wish.image]] as [string, string][]) : []),
    ...(wish.flyOrg ? ([[t('wizard.organisation'), wish.flyOrg]] as [string, string][]) : []),
  ];
  return (
    <>
      <p>{t('wizard.summary')}</p>
      {note && <p class="help">{note}</p>}
      <dl class="summary">
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
