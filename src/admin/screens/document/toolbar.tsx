// What one can do with the document, what state it is in, and whether everything is saved.

import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { ApiError, OfflineError } from '../../api/client.ts';
import { toLiveUrl } from '../../api/live-url.ts';
import { toSentence } from '../../api/sentence.ts';
import type { OpenDocument, SaveState } from '../../document/open-document.ts';
import type { Rights } from '../../document/rights.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { useBarSize } from '../../ui/bars.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { useToolbar } from '../../ui/use-toolbar.ts';
import type { Actions } from './actions.ts';

export interface DocumentToolbarProps {
  document: OpenDocument;
  rights: Rights;
  actions: Actions;
}

export function DocumentToolbar({ document, rights, actions }: DocumentToolbarProps) {
  const stored = document.latest.value?.document;
  const isPublished = stored?.status === 'published';
  const state = document.saveState.value;
  const isSaving = state.kind === 'saving';
  const isGone = document.isGone.value;
  const canPublish = !isPublished || state.kind !== 'saved';
  const keys = useToolbar();
  useBarSize(keys.ref, '--document-bar');
  return (
    <div class="toolbar" role="toolbar" aria-label={t('document.form')} {...keys}>
      {rights.mayEdit && !isPublished && !isGone && (
        <ActionButton isOff={isSaving} keys="Control+S" onClick={actions.keys.save}>
          {t('document.save')}
        </ActionButton>
      )}
      {rights.mayPublish && !isGone && (
        <ActionButton
          class="primary"
          isOff={isSaving || !canPublish}
          keys="Control+Enter"
          onClick={actions.keys.publish}
        >
          {t(isPublished ? 'document.publishChanges' : 'document.publish')}
        </ActionButton>
      )}
      {rights.mayPublish && !isGone && (
        <button type="button" onClick={() => (actions.dialog.value = { kind: 'schedule' })}>
          <Icon name="calendar" /> <span class="wide">{t('document.schedule')}</span>
        </button>
      )}
      <MoreActions {...{ document, rights, actions }} />
      <div class="states">
        <DocumentState document={document} />
        <SaveStateText state={state} onRetry={() => void document.retry()} />
      </div>
    </div>
  );
}

interface ActionButtonProps {
  class?: string;
  isOff: boolean;
  keys: string;
  onClick(): void;
  children: ComponentChildren;
}

/** While it is off it keeps the focus, which a disabled button would lose in the middle of its own action. */
function ActionButton({ isOff, keys, onClick, children, class: name }: ActionButtonProps) {
  return (
    <button
      type="button"
      class={name}
      aria-disabled={isOff}
      aria-keyshortcuts={keys}
      onClick={() => {
        if (!isOff) onClick();
      }}
    >
      {children}
    </button>
  );
}

function MoreActions({ document, rights, actions }: DocumentToolbarProps) {
  const stored = document.latest.value?.document;
  const status = stored?.status;
  const hasEdits = useComputed(() => document.edits.value.size > 0);
  const entries: MenuEntry[] = [];
  const add = (isThere: boolean, key: string, onSelect: () => void): void => {
    if (isThere) entries.push({ kind: 'item', label: t(`document.${key}` as 'document.archive'), onSelect });
  };
  const exists = stored !== undefined && !document.isGone.value;
  add(rights.mayPublish && exists && status === 'published', 'unpublish', actions.unpublish);
  add(rights.mayEdit && exists && status !== 'archived', 'archive', actions.archive);
  add(rights.mayCreate && exists, 'duplicate', () => void actions.duplicate());
  add(rights.mayEdit && exists, 'rename', () => (actions.dialog.value = { kind: 'rename' }));
  // A new document has nothing else that one could do with it, and a menu that comes with the first key is in the way.
  add(hasEdits.value || !stored, 'discard', () => void actions.discard());
  add(stored !== undefined, 'export', () => void actions.exportFile());
  add(rights.mayDelete && exists, 'delete', () => void actions.askDelete());
  if (entries.length === 0) return null;
  return (
    <Menu label={t('document.more')} entries={entries}>
      <Icon name="more" />
    </Menu>
  );
}

function DocumentState({ document }: { document: OpenDocument }) {
  const { session, now } = useAdmin();
  const nowMs = now().getTime();
  const stored = document.latest.value?.document;
  const isAsked = stored && !document.isGone.value && session.may('deploy:read');
  const liveUrl = isAsked ? toLiveUrl(stored.collection, stored.id) : undefined;
  const { state } = useResource<{ document?: 'live' | 'older' | 'absent' } | null>(liveUrl);
  const onSite = state.kind === 'ready' ? state.data?.document : undefined;
  const status = stored?.status ?? 'draft';
  // A draft that the site does not have is as it should be; one that it still shows is not.
  const isNews = status === 'published' || onSite !== 'absent';
  const parts = [
    t(`status.${status}`),
    // A published document is live already.
    status !== 'published' &&
      stored?.publishAt &&
      t('schedule.goesLive', { when: toRelative(stored.publishAt, nowMs) }),
    stored?.unpublishAt && t('schedule.goesOffline', { when: toRelative(stored.unpublishAt, nowMs) }),
    onSite && isNews && t(`live.${onSite}`),
  ].filter(Boolean);
  return (
    <span class={`status status-${status}`} role="status" aria-label={t('document.status')}>
      {document.isGone.value ? t('status.deleted') : parts.join(' · ')}
    </span>
  );
}

function SaveStateText({ state, onRetry }: { state: SaveState; onRetry(): void }) {
  return (
    <span class={`save-state state-${state.kind}`}>
      <span role="status" aria-label={t('document.saveState')}>
        {toText(state)}
      </span>
      {state.kind === 'failed' && !isRefusal(state.error) && (
        <button type="button" class="plain" onClick={onRetry}>
          {t('save.retry')}
        </button>
      )}
    </span>
  );
}

/** It was published by another user while a time for it was chosen here. */
export function isDraftNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'draft_needed';
}

/** The same request would be refused again. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

function toText(state: SaveState): string {
  if (state.kind === 'unsaved') return t(state.isKept ? 'save.unsaved' : 'save.unkept');
  if (state.kind !== 'failed') return t(`save.${state.kind}`);
  const { error } = state;
  if (isDraftNeeded(error)) return t('save.failed', { reason: t('schedule.isPublished') });
  const isInvalid = error instanceof ApiError && error.details.length > 0;
  const reason = isInvalid ? t('save.invalid') : error instanceof OfflineError ? t('state.offline') : toSentence(error);
  return t('save.failed', { reason });
}
