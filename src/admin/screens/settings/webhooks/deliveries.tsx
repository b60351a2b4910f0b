// What was sent to webhooks, and what waits; read again while something does.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schema } from '../../../api/answer.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { useAct } from '../../../shell/use-act.ts';
import { useLive } from '../../../shell/use-live.ts';
import { useMore } from '../../../shell/use-more.ts';
import { toExact, toRelative } from '../../../text/times.ts';
import { t } from '../../../text/translate.ts';
import { SelectFilter } from '../../../ui/select-field.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { TableHead } from '../../../ui/table-head.tsx';
import type { SiteWebhook } from '../settings-shape.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';

export type SentDelivery = Schema<'WebhookDelivery'>;

export const DELIVERIES_URL = '/api/admin/webhooks/deliveries';
const STATES = ['pending', 'delivered', 'failed'] as const;
/** What causes deliveries; the deliveries themselves report nothing. */
const CAUSES = ['change', 'media', 'submission', 'deploy', 'job', 'hello'];
const LOOK_AGAIN_MS = 2000;

export interface DeliveriesProps {
  webhooks: readonly SiteWebhook[];
  /** By id. */
  names: ReadonlyMap<string, string>;
  mayWrite: boolean;
  /** Counts tests that were sent. */
  tests: number;
}

export function Deliveries({ webhooks, names, mayWrite, tests }: DeliveriesProps) {
  const { request, messages } = useAdmin();
  const act = useAct();
  const [filter, setFilter] = useState({ webhook: '', state: '' });
  const [shown, setShown] = useState<string>();
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  const found = useMore(
    `${DELIVERIES_URL}?${new URLSearchParams(given)}`,
    (data: { deliveries: SentDelivery[] }) => data.deliveries,
  );
  useLive(CAUSES, found.reload);
  const known = webhooks.map(({ id }) => id).join();
  const isFirst = useRef(true);
  const firstFilter = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (!isFirst.current) found.reload();
    isFirst.current = false;
  }, [tests, known]);
  const waits = found.items?.some(({ state }) => state === 'pending') ?? false;
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setInterval(() => document.visibilityState === 'visible' && found.reload(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [waits, filter]);

  const redeliver = ({ id }: Pick<SentDelivery, 'id'>): Promise<void> =>
    act(id, async () => {
      await request('POST', `${DELIVERIES_URL}/${encodeURIComponent(id)}/redeliver`);
      messages.notify(t('deliveries.redelivered'));
    }).finally(found.reload);

  return (
    <section class="deliveries" aria-labelledby="deliveries-title">
      <h3 id="deliveries-title">{t('deliveries.title')}</h3>
      <div class="filters">
        <SelectFilter
          label={t('deliveries.webhook')}
          value={filter.webhook}
          options={[
            { value: '', label: t('deliveries.any') },
            ...webhooks.map(({ id, url }) => ({ value: id, label: names.get(id) ?? url })),
          ]}
          selectRef={firstFilter}
          onChange={(webhook) => setFilter({ ...filter, webhook })}
        />
        <SelectFilter
          label={t('deliveries.state')}
          value={filter.state}
          options={[
            { value: '', label: t('deliveries.any') },
            ...STATES.map((state) => ({ value: state, label: t(`deliveries.is.${state}`) })),
          ]}
          onChange={(state) => setFilter({ ...filter, state })}
        />
      </div>
      {found.error !== undefined && <Failed error={found.error} onRetry={found.reload} />}
      {found.items === undefined && found.error === undefined && <Loading />}
      {found.items !== undefined && (
        <DeliveryTable
          deliveries={found.items}
          {...{ names, mayWrite }}
          onShow={setShown}
          onRedeliver={(one) => void redeliver(one)}
        />
      )}
      {found.items?.length === 0 &&
        (given.length === 0 ? (
          <p class="empty">{t('deliveries.empty')}</p>
        ) : (
          <div class="buttons">
            <p class="empty">{t('deliveries.noneFound')}</p>
            <button
              type="button"
              onClick={() => {
                setFilter({ webhook: '', state: '' });
                firstFilter.current?.focus();
              }}
            >
              {t('deliveries.clear')}
            </button>
          </div>
        ))}
      {found.items !== undefined && !found.isDone && (
        <button type="button" onClick={found.more}>
          {t('media.more')}
        </button>
      )}
      {shown !== undefined && (
        <DeliveryDialog
          id={shown}
          onRedeliver={mayWrite ? () => void redeliver({ id: shown }) : undefined}
          onClose={() => setShown(undefined)}
        />
      )}
    </section>
  );
}

interface DeliveryTableProps {
  deliveries: readonly SentDelivery[];
  names: DeliveriesProps['names'];
  mayWrite: boolean;
  onShow(id: string): void;
  onRedeliver(delivery: SentDelivery): void;
}

function DeliveryTable({ deliveries, names, mayWrite, onShow, onRedeliver }: DeliveryTableProps) {
  const nowMs = useAdmin().now().getTime();
  return (
    <table class="row-table deliveries-table" aria-label={t('deliveries.title')}>
      <TableHead
        columns={[t('deliveries.event'), t('deliveries.state'), t('deliveries.attempts'), t('deliveries.at')]}
        actions={t('team.actions')}
      />
      <tbody>
        {deliveries.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              <code>{one.event}</code>
              <span class="help">
                <bdi dir="ltr">{names.get(one.webhookId) ?? one.url ?? t('deliveries.removed')}</bdi>
              </span>
            </th>
            <td data-label={t('deliveries.state')}>
              <DeliveryState delivery={one} nowMs={nowMs} />
            </td>
            <td data-label={t('deliveries.attempts')}>{one.attempts}</td>
            <td data-label={t('deliveries.at')}>
              <time datetime={one.createdAt} title={toExact(one.createdAt)}>
                {toRelative(one.createdAt, nowMs)}
              </time>
            </td>
            <td class="row-table-actions">
              <button type="button" class="plain" onClick={() => onShow(one.id)}>
                {t('deliveries.show')}
              </button>
              {mayWrite && one.url !== null && (
                <button type="button" data-once onClick={() => onRedeliver(one)}>
                  {t('deliveries.redeliver')}
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function DeliveryState({ delivery, nowMs }: { delivery: SentDelivery; nowMs: number }) {
  const { state, status, error, nextAttemptAt, attempts } = delivery;
  return (
    <>
      <span class={`state-dot dot-${state}`}>
        {t(`deliveries.is.${state}`)}
        {status !== null && !error && ` (${status})`}
      </span>
      {error && <span class="help">{error}</span>}
      {state === 'pending' && attempts > 0 && nextAttemptAt && (
        <span class="help">{t('deliveries.next', { when: toRelative(nextAttemptAt, nowMs) })}</span>
      )}
    </>
  );
}
