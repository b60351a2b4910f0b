// Which fields AI may not write, and which it wrote: a lock hinders AI only.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { type CollectionInfo, type FieldInfo, labelOf } from '../../config/manifest.ts';
import type { OpenDocument } from '../../document/open-document.ts';
import { rightsOf } from '../../document/rights.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';

interface FieldMeta {
  lockedBy?: 'user' | 'ai' | 'import';
  lockedAt?: string;
  userId?: string;
  reason?: string;
  aiGenerated?: boolean;
  aiGeneratedAt?: string;
  aiModel?: string;
}

export interface FieldLocks {
  partsOf(field: FieldInfo): { beside: ComponentChildren; note: ComponentChildren; isLocked: boolean };
}

export function useLocks(collection: CollectionInfo, document: OpenDocument): FieldLocks {
  const stored = document.isGone.value ? undefined : document.latest.value?.document;
  const url = stored && `/api/content/${collection.name}/${encodeURIComponent(stored.slug)}/_fieldMeta`;
  const { request, session, messages, now } = useAdmin();
  const { state, refresh } = useResource<Record<string, FieldMeta>>(url);
  const people = useResource<{ people: readonly { id: string; name: string }[] }>(url && '/api/admin/people').state;
  const etag = document.latest.value?.etag;
  // A lock moves the tag of its document, so a new tag asks for the locks again; the first is asked for already.
  const isAsked = useRef(state.kind === 'loading');
  useEffect(() => {
    if (!isAsked.current) refresh();
    isAsked.current = false;
  }, [etag]);
  const mayEdit = stored !== undefined && rightsOf(session.may, stored).mayEdit;

  async function toggle(field: FieldInfo, isLocked: boolean): Promise<void> {
    try {
      const path = `${url}/${encodeURIComponent(field.name)}/${isLocked ? 'unlock' : 'lock'}`;
      await request('PUT', path, isLocked ? {} : { body: {} });
      await document.reload();
      refresh();
    } catch (error) {
      messages.fail(toSentence(error));
    }
  }

  const meta = state.kind === 'ready' ? state.data : {};
  const nameOf = (id: string | undefined): string | undefined =>
    people.kind === 'ready' ? people.data.people.find((person) => person.id === id)?.name : undefined;

  function partsOf(field: FieldInfo): ReturnType<FieldLocks['partsOf']> {
    const own = meta[field.name];
    const isLocked = own?.lockedBy !== undefined;
    const canLock = mayEdit && field.aiLock?.lockable !== false;
    const label = t(isLocked ? 'lock.unlock' : 'lock.lock', { label: labelOf(field) });
    const beside = canLock && state.kind === 'ready' && (
      <button type="button" class="plain lock" title={label} onClick={() => toggle(field, isLocked)}>
        <Icon name={isLocked ? 'lock' : 'unlocked'} />
        <span class="hidden">{label}</span>
      </button>
    );
    return { beside, isLocked, note: own ? noteOf(own, nameOf(own.userId), now().getTime()) : undefined };
  }

  // The same as long as it says the same, so that a save does not draw every field again.
  return useMemo(() => ({ partsOf }), [url, state, people, mayEdit]);
}

function noteOf(meta: FieldMeta, name: string | undefined, nowMs: number): string {
  const notes: string[] = [];
  if (meta.lockedBy) {
    const who = name ?? t(`lock.${meta.lockedBy}`);
    notes.push(meta.reason ? t('lock.byReason', { who, reason: meta.reason }) : t('lock.by', { who }));
  }
  if (meta.aiGenerated) {
    const when = meta.aiGeneratedAt ? toRelative(meta.aiGeneratedAt, nowMs) : '';
    notes.push(t('lock.written', { model: meta.aiModel ?? t('lock.ai'), when }));
  }
  return notes.map((note) => (/[.!?]$/.test(note) ? note : `${note}.`)).join(' ');
}
