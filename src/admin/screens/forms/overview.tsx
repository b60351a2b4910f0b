// The forms of the site, and how much is new in each; then what was sent by all of them.
import { useAdmin, useResource } from '../../shell/admin.ts';
import { Screen } from '../../shell/screen.tsx';
import { toExact, toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/states.tsx';
import { FORMS_URL, type FormEntry, type FormsAnswer, type InboxTab, toInboxPath, toSum } from './form-entry.ts';
import { InboxTabs } from './inbox.tsx';

export function Overview({ tab }: { tab: InboxTab }) {
  const { state, refresh } = useResource<FormsAnswer>(FORMS_URL);
  return (
    <Screen heading={t('forms.title')}>
      <div class="inbox">
        <Loaded state={state} onRetry={refresh}>
          {({ forms }) => (
            <>
              <div class="narrow">
                <ul class="rows forms" aria-label={t('forms.list')}>
                  {forms.map((form) => (
                    <FormRow key={form.name} {...form} />
                  ))}
                </ul>
                {forms.length === 0 && (
                  <div class="nothing">
                    <Icon name="mail" />
                    <p>{t('forms.none')}</p>
                  </div>
                )}
              </div>
              <InboxTabs entry={toSum(forms, t('forms.title'))} {...{ forms }} address={{ form: '', tab, id: '' }} />
            </>
          )}
        </Loaded>
      </div>
    </Screen>
  );
}

function FormRow({ name, label, unread, total, lastAt, configured }: FormEntry) {
  const { now } = useAdmin();
  return (
    <li>
      <a class="row-title" href={toInboxPath({ form: name, tab: 'all', id: '' })}>
        {label}
      </a>
      {unread > 0 && <span class="badge">{t('forms.newCount', { count: unread })}</span>}
      <span class="help">
        {total === 0 ? t('forms.nothingSent') : t('forms.count', { count: total })}
        {lastAt !== undefined && (
          <>
            {' · '}
            <time datetime={lastAt} title={toExact(lastAt)}>
              {t('forms.last', { when: toRelative(lastAt, now().getTime()) })}
            </time>
          </>
        )}
        {!configured && ` · ${t('forms.gone')}`}
      </span>
    </li>
  );
}
