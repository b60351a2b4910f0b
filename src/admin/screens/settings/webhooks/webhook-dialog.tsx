import { useState } from 'preact/hooks';
import { LostError } from '../../../api/client.ts';
import { toSentence } from '../../../api/sentence.ts';
import { isEqual } from '../../../document/is-equal.ts';
import { useAdmin } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { type Submit, useSubmit } from '../../../ui/use-submit.ts';
import { MadeSecrets } from '../made-secrets.tsx';
import type { SettingValues, SiteWebhook } from '../settings-shape.ts';
import type { OpenSettings } from '../use-settings.ts';
import { clashOf, groupEvents, type WebhookFields, withWebhook } from './webhook-list.ts';

export interface WebhookDialogProps {
  settings: OpenSettings;
  events: readonly string[];
  /** Undefined for a new one. */
  webhook: SiteWebhook | undefined;
  onClose(): void;
}

export function WebhookDialog({ settings, events, webhook, onClose }: WebhookDialogProps) {
  const { messages } = useAdmin();
  const [secret, setSecret] = useState<string>();
  const [index, setIndex] = useState(0);
  const submit = useSubmit();

  async function save(fields: WebhookFields): Promise<void> {
    let sent: readonly SiteWebhook[] = [];
    const toPatch = (stored: SettingValues) => {
      sent = stored.webhooks;
      const at = sent.findIndex(({ id }) => id === webhook?.id);
      setIndex(at < 0 ? sent.length : at);
      const clash = webhook && clashOf(sent, webhook, fields);
      if (clash) throw new Error(t(`webhooks.clash.${clash}`));
      return withWebhook(sent, webhook, fields);
    };
    try {
      const { generated = {} } = await settings.change(toPatch);
      messages.notify(t(webhook ? 'webhooks.changed' : 'webhooks.added'));
      const [made] = Object.values(generated);
      if (made === undefined) onClose();
      else setSecret(made);
    } catch (failure) {
      if (!(failure instanceof LostError)) throw failure;
      const { webhooks } = await settings.readAfterLost();
      if (isEqual(webhooks, sent)) throw failure;
      // The list says what became of it; sent once more it would be there twice.
      messages.fail(toSentence(failure));
      onClose();
    }
  }

  const isShownOnce = secret !== undefined;
  return (
    <Dialog
      title={t(webhook ? 'webhooks.editTitle' : 'webhooks.add')}
      class="webhook-dialog"
      onClose={isShownOnce ? undefined : onClose}
    >
      {isShownOnce ? (
        <>
          <p role="status">{t('webhooks.secretMade')}</p>
          <MadeSecrets secrets={[{ label: t('webhooks.secret'), value: secret }]} onDone={onClose} />
        </>
      ) : (
        <WebhookForm
          {...{ events, webhook, submit, index, onClose }}
          onSubmit={(fields) => void submit.run(() => save(fields))}
        />
      )}
    </Dialog>
  );
}

interface WebhookFormProps extends Omit<WebhookDialogProps, 'settings'> {
  submit: Submit;
  /** Its place in the list that was sent, which names what was wrong. */
  index: number;
  onSubmit(fields: WebhookFields): void;
}

function WebhookForm({ events, webhook, submit, index, onSubmit, onClose }: WebhookFormProps) {
  const [fields, setFields] = useState<WebhookFields>({
    ...{ url: '', secret: '', isSecretNew: false },
    events: webhook?.events ?? ['*'],
  });
  const set = (part: Partial<WebhookFields>): void => setFields({ ...fields, ...part });
  const { problem, isBusy, errorOf } = submit;
  const isAtField = ['url', 'events', 'secret'].some((name) => errorOf(`webhooks.${index}.${name}`) !== undefined);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(fields);
      }}
    >
      {problem && (
        <div class="problem" role="alert">
          {isAtField ? t('webhooks.refused') : problem}
        </div>
      )}
      <TextField
        label={t('webhooks.url')}
        help={
          webhook ? t('webhooks.urlKept', { value: t('secret.masked', { value: webhook.url }) }) : t('webhooks.urlHelp')
        }
        {...{ name: 'url', autocomplete: 'off', required: webhook === undefined }}
        {...{ value: fields.url, error: errorOf(`webhooks.${index}.url`) }}
        onInput={(url) => set({ url })}
      />
      <EventChoice
        all={events}
        chosen={fields.events}
        error={errorOf(`webhooks.${index}.events`)}
        onChange={(chosen) => set({ events: chosen })}
      />
      <TextField
        label={t('webhooks.secret')}
        help={
          webhook?.secret.set ? t('webhooks.secretKept', { last4: webhook.secret.last4 }) : t('webhooks.secretHelp')
        }
        {...{ name: 'secret', type: 'password', autocomplete: 'off', required: false, readOnly: fields.isSecretNew }}
        {...{ value: fields.secret, error: errorOf(`webhooks.${index}.secret`) }}
        onInput={(secret) => set({ secret })}
      />
      {webhook && (
        <label class="tick">
          <input
            type="checkbox"
            checked={fields.isSecretNew}
            onChange={({ currentTarget }) => set({ isSecretNew: currentTarget.checked, secret: '' })}
          />
          {t('webhooks.newSecret')}
        </label>
      )}
      <div class="buttons">
        <button type="submit" class="primary" aria-busy={isBusy}>
          {t('webhooks.save')}
        </button>
        <button type="button" onClick={onClose}>
          {t('app.cancel')}
        </button>
      </div>
    </form>
  );
}

interface EventChoiceProps {
  all: readonly string[];
  chosen: readonly string[];
  error: string | undefined;
  onChange(events: readonly string[]): void;
}

function EventChoice({ all, chosen, error, onChange }: EventChoiceProps) {
  const isEverything = chosen.includes('*');
  return (
    <fieldset class="field plain-set">
      <legend>{t('webhooks.events')}</legend>
      <label class="tick">
        <input
          type="checkbox"
          checked={isEverything}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? ['*'] : [])}
        />
        {t('webhooks.all')}
      </label>
      {!isEverything && (
        <div class="event-list">
          {groupEvents(all).flatMap(([, events]) =>
            events.map((event) => (
              <label class="tick" key={event}>
                <input
                  type="checkbox"
                  checked={chosen.includes(event)}
                  onChange={({ currentTarget }) =>
                    onChange(currentTarget.checked ? [...chosen, event] : chosen.filter((one) => one !== event))
                  }
                />
                <code>{event}</code>
              </label>
            )),
          )}
        </div>
      )}
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}
