// What one has made from here before, and what was left half done.
import { useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { type BegunProvision, WIZARD_PATH } from './wish.ts';

export interface InstancesProps {
  provisions: readonly BegunProvision[];
  onChange(): void;
  onGoOn(provision: BegunProvision): void;
}

export function Instances({ provisions, onChange, onGoOn }: InstancesProps) {
  const { now } = useAdmin();
  const [removing, setRemoving] = useState<BegunProvision>();
  if (provisions.length === 0) return null;
  return (
    <Card title={t('wizard.instances')} icon="box">
      <ul class="rows instances" aria-label={t('wizard.instances')}>
        {provisions.map((one) => (
          <li key={one.id}>
            <a class="row-title" href={one.status === 'done' ? one.url : `${WIZARD_PATH}?id=${one.id}`}>
              {one.appName}
            </a>
            <span class="help">
              {t(`wizard.status.${one.status}`, { when: toRelative(one.startedAt, now().getTime()) })}
              {one.error && `: ${toSentence(one.error)}`}
            </span>
            <span class="instance-actions">
              {one.status !== 'done' && one.status !== 'running' && (
                <button
                  type="button"
                  aria-label={t('wizard.goOnOne', { app: one.appName })}
                  onClick={() => onGoOn(one)}
                >
                  {t('wizard.goOn')}
                </button>
              )}
              <button
                type="button"
                aria-label={t('wizard.removeOne', { app: one.appName })}
                onClick={() => setRemoving(one)}
              >
                {t('wizard.remove')}
              </button>
            </span>
          </li>
        ))}
      </ul>
      {removing && (
        <RemoveDialog
          provision={removing}
          verb={t('wizard.remove')}
          onClose={() => setRemoving(undefined)}
          onRemoved={onChange}
        />
      )}
    </Card>
  );
}
