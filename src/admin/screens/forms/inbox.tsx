// The inbox of a form: its submissions by tab, and the one that is open beside them.
import { useEffect, useRef, useState } from 'preact/hooks';
import { withSite } from '../../api/client.ts';
import { useAdmin } from '../../shell/admin.ts';
import { Screen } from '../../shell/screen.tsx';
import { useKeys } from '../../shell/use-keys.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { toNumber } from '../../text/reader.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CsvLink } from './csv-link.tsx';
import {
  countOf,
  type FormEntry,
  type FormSubmission,
  INBOX_TABS,
  type InboxAddress,
  type InboxStatus,
  type InboxTab,
  toInboxPath,
} from './form-entry.ts';
import { ManyBar } from './many-bar.tsx';
import { OpenSubmission } from './open-submission.tsx';
import { toSummary } from './shown-values.ts';
import { SubmissionList } from './submission-list.tsx';
import { useFieldsOf } from './use-fields-of.ts';
import { useInboxRows } from './use-inbox-rows.ts';
import { useMany } from './use-many.ts';
import { useMarking } from './use-marking.ts';

export interface InboxProps {
  entry: FormEntry;
  address: InboxAddress;
}

export function Inbox({ entry, address }: InboxProps) {
  const { site } = useAdmin();
  const { name, label, configured } = entry;
  return (
    <Screen heading={label}>
      <div class={`inbox ${address.id === '' ? '' : 'has-open'}`}>
        <p class="inbox-links">
          <a href="/admin/forms">{t('forms.all')}</a>
          {configured && (
            <a href={withSite(`/api/forms/${encodeURIComponent(name)}`, site)} target="_blank" rel="noreferrer">
              {t('forms.open')} <Icon name="external" />
            </a>
          )}
          <CsvLink form={name} tab={address.tab} />
        </p>
        {!configured && <p class="problem">{t('forms.goneText')}</p>}
        <InboxTabs {...{ entry, address }} forms={[entry]} />
      </div>
    </Screen>
  );
}

export interface InboxTabsProps extends InboxProps {
  /** The one of the inbox, or all of them. */
  forms: readonly FormEntry[];
}

/** The submissions of one form, or of all, by their status. */
export function InboxTabs({ entry, address, forms }: InboxTabsProps) {
  const navigate = useNavigate();
  return (
    <Tabs
      label={t('inbox.tabs')}
      tabs={INBOX_TABS.map((id) => ({ id, label: t(`inbox.${id}`), count: toCount(countOf(entry, id)) }))}
      chosen={address.tab}
      onChoose={(id) => navigate(toInboxPath({ ...address, tab: id as InboxTab, id: '' }), true)}
    >
      {() => <Panes {...{ entry, address, forms }} />}
    </Tabs>
  );
}

function toCount(count: number): { shown: string; said: string } {
  return { shown: toNumber(count), said: t('forms.count', { count }) };
}

function Panes({ entry, address, forms }: InboxTabsProps) {
  const { session } = useAdmin();
  const fieldsOf = useFieldsOf(forms);
  const { id, tab, form } = address;
  const navigate = useNavigate();
  const rows = useInboxRows(form, tab);
  const { total } = rows;
  const last = (total ?? 0) - 1;
  const marking = useMarking(rows);
  const many = useMany(form, tab, rows);
  const mayWrite = session.may('forms:write');
  const [focused, setFocused] = useState<{ index: number }>();
  /** False for what was open when the page came: the browser itself places the focus then. */
  const isFocusWanted = useRef(false);
  /** Where the open one is, or was before it left the tab. */
  const place = useRef(-1);
  const active = useRef(-1);
  const openAt = id === '' ? undefined : rows.indexOf(id);
  if (openAt !== undefined) place.current = openAt;
  useEffect(() => {
    if (id === '') place.current = -1;
  }, [id]);

  function go({ form, id }: FormSubmission, isReplacing = false): void {
    isFocusWanted.current = true;
    navigate(toInboxPath({ form, tab, id }), isReplacing);
  }

  function close(): void {
    const index = place.current;
    navigate(toInboxPath({ ...address, id: '' }));
    setFocused({ index: Math.max(0, index) });
  }

  /** Index of the row after or before the open one; one that has left the tab gave its place to the next. */
  function neighbour(step: 1 | -1): number {
    if (id === '' || (openAt === undefined && place.current < 0)) {
      // The row that had the focus may have been the last one, and gone since.
      return step === 1 ? Math.max(0, Math.min(active.current, last)) : -1;
    }
    return openAt === undefined && step === 1 ? place.current : place.current + step;
  }

  async function step(by: 1 | -1): Promise<void> {
    const row = await rows.find(neighbour(by));
    if (row) go(row, id !== '');
  }

  /** What one sees after the open one was archived or deleted: the next, or the one before, or else the list. */
  async function leave(): Promise<void> {
    const row = (await rows.find(neighbour(1))) ?? (await rows.find(neighbour(-1)));
    if (row) go(row, true);
    else close();
  }

  const titleOf = (submission: FormSubmission): string =>
    toSummary(submission.data, fieldsOf(submission.form)).title || t('inbox.untitled');

  async function mark(known: FormSubmission, status: InboxStatus): Promise<void> {
    const isOpen = known.id === id;
    // Opening reads it, even if an older answer about it came after that.
    const submission: FormSubmission = isOpen && known.status === 'new' ? { ...known, status: 'read' } : known;
    if (!mayWrite || submission.status === status) return;
    const back = (): void => (isOpen && status === 'archived' ? go(submission, true) : undefined);
    if (isOpen && status === 'archived') await leave();
    await marking.mark(submission, status, titleOf(submission), back);
  }

  async function remove(submission: FormSubmission): Promise<void> {
    await leave();
    marking.remove(submission, titleOf(submission), () => go(submission, true));
  }

  /** What keys of one letter are about: the open one, or else the row that has the focus. */
  async function withCurrent(work: (submission: FormSubmission) => Promise<void>): Promise<void> {
    const row = id === '' ? await rows.find(active.current) : (opened.current ?? undefined);
    if (row) await work(row);
  }
  const opened = useRef<FormSubmission | undefined>(undefined);

  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ...(mayWrite ? { e: () => withCurrent((one) => mark(one, 'archived')) } : {}),
    ...(mayWrite ? { u: () => withCurrent((one) => mark(one, 'new')) } : {}),
    ...(id === '' ? {} : { Escape: close }),
  });

  const error = rows.pages.error.value;
  return (
    <div class="inbox-panes">
      <div class="inbox-list">
        {error !== undefined && total === undefined && <Failed error={error} onRetry={() => rows.pages.refresh()} />}
        {total === undefined && error === undefined && <Loading lines={6} />}
        {total !== undefined && (
          <SubmissionList
            {...{ rows, total, fieldsOf, address, focused }}
            labels={form === '' ? new Map(forms.map(({ name, label }) => [name, label])) : undefined}
            // Many at a time are those of one form.
            selected={mayWrite && form !== '' ? new Set(many.selected.keys()) : undefined}
            onOpen={() => (isFocusWanted.current = true)}
            onActive={(index) => (active.current = index)}
            onToggle={(index, isRange) => void many.toggle(index, isRange)}
          />
        )}
        {total === 0 && forms.length > 0 && (
          <Nothing tab={tab} onClear={() => navigate(toInboxPath({ form, tab: 'all', id: '' }), true)} />
        )}
        {(many.selected.size > 0 || many.job) && <ManyBar {...{ many, tab }} total={countOf(entry, tab)} />}
      </div>
      {id === '' ? (
        !!total && form !== '' && <p class="inbox-hint">{t('inbox.choose')}</p>
      ) : (
        <OpenSubmission
          key={id}
          {...{ form, id, mayWrite, marking, titleOf, opened }}
          fields={fieldsOf(form)}
          known={openAt === undefined ? undefined : rows.at(openAt)}
          formLabel={entry.label}
          hasFocus={isFocusWanted.current}
          onClose={close}
          onPrevious={neighbour(-1) < 0 ? undefined : () => void step(-1)}
          onNext={neighbour(1) > last ? undefined : () => void step(1)}
          onMark={(submission, status) => void mark(submission, status)}
          onDelete={(submission) => void remove(submission)}
        />
      )}
    </div>
  );
}

const NOTHING = {
  all: 'inbox.empty',
  new: 'inbox.noneNew',
  read: 'inbox.noneRead',
  archived: 'inbox.noneArchived',
} as const;

function Nothing({ tab, onClear }: { tab: InboxTab; onClear(): void }) {
  return (
    <div class="nothing">
      <Icon name="mail" />
      <p>{t(NOTHING[tab])}</p>
      {tab !== 'all' && (
        <button type="button" onClick={onClear}>
          {t('inbox.clear')}
        </button>
      )}
    </div>
  );
}
