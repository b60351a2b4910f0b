// Forms and submissions as the service has them, and where. Pure.
import type { Answer, Schema } from '../../api/answer.ts';

export const FORMS_URL = '/api/admin/forms';

export type FormsAnswer = Answer<'/api/admin/forms'>;
export type FormEntry = Schema<'FormEntry'>;
export type FormFields = Schema<'FormSchema'>['fields'];
export type FormSubmission = Schema<'FormSubmission'>;
export type InboxStatus = FormSubmission['status'];

/** An empty name means all forms. */
export function toSubmissionsUrl(form: string): string {
  return form === '' ? `${FORMS_URL}/submissions` : `${FORMS_URL}/${encodeURIComponent(form)}/submissions`;
}

export function toSubmissionUrl(form: string, id: string): string {
  return `${toSubmissionsUrl(form)}/${encodeURIComponent(id)}`;
}

/** With a mark at its beginning by which spreadsheets know its letters. */
export function toExportUrl(form: string, tab: InboxTab): string {
  const status = tab === 'all' ? '' : `&status=${tab}`;
  return `${FORMS_URL}/${encodeURIComponent(form)}/export?bom=true${status}`;
}

export const INBOX_TABS = ['all', 'new', 'read', 'archived'] as const;
export type InboxTab = (typeof INBOX_TABS)[number];

export interface InboxAddress {
  /** Empty for the inbox of all forms. */
  form: string;
  tab: InboxTab;
  /** Empty while no submission is open. */
  id: string;
}

/** The tab of `?status=`; all for anything else. */
export function toTab(status: string | undefined): InboxTab {
  return INBOX_TABS.find((tab) => tab === status) ?? 'all';
}

export function toInboxPath({ form, tab, id }: InboxAddress): string {
  const path = ['/admin/forms', form, id].filter(Boolean);
  const [root = '', ...names] = path;
  const search = tab === 'all' ? '' : `?status=${tab}`;
  return [root, ...names.map(encodeURIComponent)].join('/') + search;
}

/** All forms as if they were one. */
export function toSum(forms: readonly FormEntry[], label: string): FormEntry {
  const sum = { unread: 0, read: 0, archived: 0, total: 0 };
  for (const form of forms) for (const key of ['unread', 'read', 'archived', 'total'] as const) sum[key] += form[key];
  return { name: '', label, configured: true, ...sum };
}

export function countOf(entry: FormEntry, tab: InboxTab): number {
  return { all: entry.total, new: entry.unread, read: entry.read, archived: entry.archived }[tab];
}
