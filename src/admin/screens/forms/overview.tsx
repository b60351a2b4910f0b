// The forms of the site, and how much is new in each.
import { useAdmin, useResource } from '../../shell/admin.ts';
import { Screen } from '../../shell/screen.tsx';
import { toExact, toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/states.tsx';
import { FORMS_URL, type FormEntry, type FormsAnswer, toInboxPath } from './form-entry.ts';

export function Overview() {
  const { state, refresh } = useResource<FormsAnswer>(FORMS_URL);
  return (
    <Screen heading={t('forms.title')}>
      <div class="narrow">
        <Loaded state={state} onRetry={refresh}>
          {({ forms }) => (
            <>
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
