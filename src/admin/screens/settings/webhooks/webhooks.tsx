// The webhooks of the site: who is sent which events.
import { useRef, useState } from 'preact/hooks';
import { toSentence } from '../../../api/sentence.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { useAct } from '../../../shell/use-act.ts';
import { t } from '../../../text/translate.ts';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { SiteWebhook } from '../settings-shape.ts';
import type { OpenSettings } from '../use-settings.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { namesOf, withoutWebhook } from './webhook-list.ts';

export interface WebhooksProps {
  settings: OpenSettings;
  webhooks: readonly SiteWebhook[];
  events: readonly string[];
  mayWrite: boolean;
}

type WebhookQuestion = { kind: 'add' } | { kind: 'edit' | 'delete'; webhook: SiteWebhook };

export function Webhooks({ settings, webhooks, events, mayWrite }: WebhooksProps) {
  const { request, messages } = useAdmin();
  const act = useAct();
  const [open, setOpen] = useState<WebhookQuestion>();
  /** Counts tests, so that the deliveries are read again. */
  const [tests, setTests] = useState(0);
  const addButton = useRef<HTMLButtonElement>(null);
  const close = (): void => setOpen(undefined);
  const names = namesOf(webhooks);
  const nameOf = ({ id, url }: SiteWebhook): string => names.get(id) ?? url;

  const test = (webhook: SiteWebhook): Promise<void> =>
    act(webhook.id, async () => {
      await request('POST', `/api/admin/webhooks/${encodeURIComponent(webhook.id)}/test`);
      messages.notify(t('webhooks.tested', { url: nameOf(webhook) }));
      setTests((count) => count + 1);
    });

  async function remove(webhook: SiteWebhook): Promise<void> {
    close();
    try {
      await settings.change((stored) => withoutWebhook(stored.webhooks, webhook.id));
      messages.notify(t('webhooks.deleted', { url: nameOf(webhook) }));
      // Its row goes, and the focus must not go with it.
      addButton.current?.focus();
    } catch (error) {
      messages.fail(toSentence(error));
    }
  }

  return (
    <>
      <p class="help">{t('webhooks.text')}</p>
      {webhooks.length === 0 && <p class="empty">{t('webhooks.empty')}</p>}
      <ul class="rows webhooks" aria-label={t('webhooks.title')}>
        {webhooks.map((webhook) => (
          <li key={webhook.id}>
            <span class="row-title">
              <bdi dir="ltr">{nameOf(webhook)}</bdi>
            </span>
            <span class="help">
              {webhook.events.includes('*') ? t('webhooks.all') : webhook.events.join(', ')}
              {' · '}
              {webhook.secret.set ? t('webhooks.secretEnds', { last4: webhook.secret.last4 }) : t('webhooks.noSecret')}
            </span>
            {mayWrite && (
              <span class="row-actions">
                <button
                  type="button"
                  data-once
                  aria-label={t('webhooks.testOne', { url: nameOf(webhook) })}
                  onClick={() => void test(webhook)}
                >
                  {t('webhooks.test')}
                </button>
                <button
                  type="button"
                  aria-label={t('webhooks.editOne', { url: nameOf(webhook) })}
                  onClick={() => setOpen({ kind: 'edit', webhook })}
                >
                  {t('webhooks.edit')}
                </button>
                <button
                  type="button"
                  aria-label={t('webhooks.deleteOne', { url: nameOf(webhook) })}
                  onClick={() => setOpen({ kind: 'delete', webhook })}
                >
                  {t('webhooks.delete')}
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {mayWrite && (
        <div class="buttons">
          <button type="button" class="primary" ref={addButton} onClick={() => setOpen({ kind: 'add' })}>
            <Icon name="plus" />
            {t('webhooks.add')}
          </button>
        </div>
      )}
      <Deliveries {...{ webhooks, names }} mayWrite={mayWrite} tests={tests} />
      {(open?.kind === 'add' || open?.kind === 'edit') && (
        <WebhookDialog
          {...{ settings, events }}
          webhook={open.kind === 'edit' ? open.webhook : undefined}
          onClose={close}
        />
      )}
      {open?.kind === 'delete' && (
        <AlertDialog
          title={t('webhooks.delete')}
          verb={t('webhooks.delete')}
          cancel={t('app.cancel')}
          onConfirm={() => void remove(open.webhook)}
          onClose={close}
        >
          <p>{t('webhooks.deleteText', { url: nameOf(open.webhook) })}</p>
        </AlertDialog>
      )}
    </>
  );
}
