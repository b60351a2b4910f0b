// One delivery: what was sent, and what was answered.
import type { Schema } from '../../../api/answer.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { useFresh } from '../../../shell/use-fresh.ts';
import { toExact } from '../../../text/times.ts';
import { t } from '../../../text/translate.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { DELIVERIES_URL, DeliveryState } from './deliveries.tsx';

export interface DeliveryDialogProps {
  id: string;
  onRedeliver: (() => void) | undefined;
  onClose(): void;
}

export function DeliveryDialog({ id, onRedeliver, onClose }: DeliveryDialogProps) {
  const { state, refresh } = useFresh<Schema<'WebhookDeliveryWithBody'>>(`${DELIVERIES_URL}/${encodeURIComponent(id)}`);
  const { now } = useAdmin();
  return (
    <Dialog title={t('deliveries.one')} class="delivery-dialog" onClose={onClose}>
      <Loaded state={state} onRetry={refresh}>
        {(delivery) => (
          <>
            <dl class="setting-facts">
              <div>
                <dt>{t('deliveries.event')}</dt>
                <dd>
                  <code>{delivery.event}</code>
                </dd>
              </div>
              <div>
                <dt>{t('deliveries.webhook')}</dt>
                <dd dir="ltr">{delivery.url ?? t('deliveries.removed')}</dd>
              </div>
              <div>
                <dt>{t('deliveries.id')}</dt>
                <dd>
                  <code>{delivery.id}</code>
                </dd>
              </div>
              <div>
                <dt>{t('deliveries.attempts')}</dt>
                <dd>{delivery.attempts}</dd>
              </div>
              <div>
                <dt>{t('deliveries.response')}</dt>
                <dd>
                  <DeliveryState delivery={delivery} nowMs={now().getTime()} />
                  {delivery.lastAttemptAt && (
                    <span class="help">
                      {t('deliveries.took', {
                        when: toExact(delivery.lastAttemptAt),
                        count: delivery.durationMs ?? 0,
                      })}
                    </span>
                  )}
                </dd>
              </div>
            </dl>
            <h3>{t('deliveries.request')}</h3>
            {delivery.body === undefined ? (
              <p class="help">{t('deliveries.noBody')}</p>
            ) : (
              <section aria-label={t('deliveries.request')}>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
                <pre tabIndex={0} dir="ltr">
                  {JSON.stringify(delivery.body, null, 2)}
                </pre>
              </section>
            )}
          </>
        )}
      </Loaded>
      <div class="buttons">
        {onRedeliver && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              onRedeliver();
              onClose();
            }}
          >
            {t('deliveries.redeliver')}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {t('app.close')}
        </button>
      </div>
    </Dialog>
  );
}
