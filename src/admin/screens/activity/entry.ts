// One line of activity: a change of content, or an entry of the audit. Pure.
import type { Answer } from '../../api/answer.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import '../../text/en-operations.ts';
import { findText } from '../../text/loaded.ts';
import { type TextKey, t } from '../../text/translate.ts';
import type { IconName } from '../../ui/icons.ts';
import { toResultPath } from '../search/result-path.ts';
import type { TimedItem } from './merge-sources.ts';

export type ActivityChange = Answer<'/api/cms/changes'>['changes'][number];
export type AuditLine = Answer<'/api/admin/audit'>['entries'][number];

export type ActivityItem = TimedItem &
  ({ kind: 'change'; change: ActivityChange } | { kind: 'audit'; entry: AuditLine });

export function fromChange(change: ActivityChange): ActivityItem {
  return { kind: 'change', key: `${change.commit}/${change.id}`, at: change.at, change };
}

export function fromAudit(entry: AuditLine): ActivityItem {
  return { kind: 'audit', key: entry.id, at: entry.at, entry };
}

/** The page that shows the change; undefined for what is gone. */
export function pathOfChange({ collection, slug, id, event, commit }: ActivityChange): string | undefined {
  if (event.endsWith('.deleted')) return collection === 'media' ? undefined : '/admin/trash';
  if (collection === 'media') return toResultPath({ collection, slug });
  // By its id: it may have another slug by now.
  return `${toDocumentPath(collection, id)}/history/${commit}`;
}

const ICONS: Readonly<Record<string, IconName>> = {
  settings: 'settings',
  backup: 'archive',
  repository: 'history',
  remote: 'globe',
  deploy: 'rocket',
  form: 'mail',
  submission: 'mail',
  agent: 'message',
  mcp: 'message',
  calendar: 'calendar',
  user: 'user',
  session: 'lock',
  token: 'lock',
  site: 'globe',
};

export function iconOf(item: ActivityItem): IconName {
  if (item.kind === 'audit') return ICONS[item.entry.action.split('.')[0]!] ?? 'clipboard';
  const { collection, event } = item.change;
  if (event.endsWith('.deleted')) return 'trash';
  return collection === 'media' ? 'image' : 'pencil';
}

/** What was done, as a part of a sentence; undefined for an action that has no words yet. */
export function actionText({ action }: Pick<AuditLine, 'action'>): string | undefined {
  const key = `audit.${action}`;
  return findText(key) === undefined ? undefined : t(key as TextKey);
}

export interface ToolUse {
  /** `collection/slug`, if it was about a document. */
  document: string | undefined;
  /** Its address, if there is something to see at it. */
  path: string | undefined;
  isRefused: boolean;
}

/** What an entry says about the use of a tool by an MCP client; undefined for other entries. */
export function toolUseOf({ action, changes }: Pick<AuditLine, 'action' | 'changes'>): ToolUse | undefined {
  if (!action.startsWith('mcp.')) return undefined;
  const after = (name: string): unknown => changes.find(({ key }) => key === name)?.after;
  const document = after('document');
  const isRefused = after('ok') === false;
  if (typeof document !== 'string') return { document: undefined, path: undefined, isRefused };
  const at = document.indexOf('/');
  const isGone = action === 'mcp.delete_document' && !isRefused;
  const path = isGone ? '/admin/trash' : toDocumentPath(document.slice(0, at), document.slice(at + 1));
  return { document, path: at < 0 ? undefined : path, isRefused };
}

export interface ValueChange {
  key: string;
  before: string;
  after: string;
}

const MOST_CHARACTERS = 200;

/** Long values are recorded as their hash, which says nothing to people. */
export function valueChanges({ changes }: Pick<AuditLine, 'changes'>): ValueChange[] {
  return changes.map(({ key, before, after }) => ({ key, before: toShown(before), after: toShown(after) }));
}

function toShown(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.startsWith('sha256:')) return t('activity.longValue');
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
