// What visitors sent: the forms, and the inbox of one.
import '../../text/en-forms.ts';
import '../../text/en-lists.ts';
import { useRef } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { FailedScreen } from '../../shell/failed-screen.tsx';
import { LoadingScreen } from '../../shell/loading-screen.tsx';
import { NoAccess } from '../../shell/no-access.tsx';
import { NotFound } from '../../shell/screen.tsx';
import { useIsMissing } from '../../shell/use-is-missing.ts';
import { t } from '../../text/translate.ts';
import { FORMS_URL, type FormEntry, type FormsAnswer, toSubmissionUrl, toTab } from './form-entry.ts';
import { Inbox } from './inbox.tsx';
import { Overview } from './overview.tsx';

export default function Forms() {
  const { session } = useAdmin();
  const { params, query } = useRoute();
  if (!session.may('forms:read')) return <NoAccess right={t('right.forms:read')} />;
  return params.form ? <InboxOf name={params.form} /> : <Overview tab={toTab(query.status)} />;
}

function InboxOf({ name }: { name: string }) {
  const { state, refresh } = useResource<FormsAnswer>(FORMS_URL);
  const { params, query } = useRoute();
  // A form that the configuration no longer has goes with its last submission, and not from under one's hands.
  const kept = useRef<FormEntry | undefined>(undefined);
  const isMissing = useIsMissing(params.id && toSubmissionUrl(name, params.id));
  if (state.kind === 'failed') return <FailedScreen error={state.error} onRetry={refresh} />;
  if (state.kind === 'loading') return <LoadingScreen heading={name} lines={6} />;
  const found = state.data.forms.find((one) => one.name === name);
  if (found) kept.current = found;
  const entry = found ?? kept.current;
  if (entry?.name !== name || isMissing) return <NotFound />;
  return <Inbox key={name} entry={entry} address={{ form: name, tab: toTab(query.status), id: params.id ?? '' }} />;
}
