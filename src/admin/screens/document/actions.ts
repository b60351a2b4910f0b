// What one does with a document as a whole: each says what happened, with a way back if there is one.

import { useSignal } from '@preact/signals';
import { ApiError } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { titleOf } from '../../config/manifest.ts';
import type { DocumentChange } from '../../document/open-document.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { type Admin, useAdmin } from '../../shell/admin.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import type { EditorProps } from './editor.tsx';
import type { Rights } from './rights.ts';

export interface Reference {
  collection: string;
  slug: string;
  title: string;
  field: string;
}

export type OpenDialog =
  | { kind: 'schedule' }
  | { kind: 'rename' }
  | { kind: 'delete'; references: readonly Reference[]; total: number };

export function useActions({ collection, document }: EditorProps, rights: Rights) {
  const admin = useAdmin();
  const { messages, request } = admin;
  const navigate = useNavigate();
  const dialog = useSignal<OpenDialog | undefined>(undefined);
  const base = `/api/cms/${collection.name}`;

  const stored = (): StoredDocument | undefined => document.latest.peek()?.document;
  const urlOf = (slug: string): string => `${base}/${encodeURIComponent(slug)}`;

  async function change(what: DocumentChange, done: string, undo?: DocumentChange): Promise<boolean> {
    if (!(await document.save(what))) return false;
    messages.notify(done, undo && (() => void change(undo, t('done.restored'))));
    return true;
  }

  async function save(): Promise<void> {
    if (!rights.mayEdit) return;
    if (stored()?.status === 'published') {
      await document.keep();
      if (document.edits.peek().size > 0) messages.notify(t('done.kept'));
    } else if (await document.save()) messages.notify(t('done.saved'));
  }

  async function publish(): Promise<void> {
    if (rights.mayPublish) await change({ status: 'published' }, t('done.published'));
  }

  async function rename(slug: string, updateReferences: boolean): Promise<boolean> {
    dialog.value = undefined;
    return await change({ slug, updateReferences }, t('done.renamed', { slug }));
  }

  async function askDelete(): Promise<void> {
    const current = stored();
    if (!current) return;
    await attempt(admin, async () => {
      try {
        await remove(current, true);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        const { data } = await request<{ references: readonly Reference[]; total: number }>(
          'GET',
          `${urlOf(current.slug)}/references?limit=10`,
        );
        dialog.value = { kind: 'delete', ...data };
      }
    });
  }

  async function deleteReferenced(): Promise<void> {
    dialog.value = undefined;
    const current = stored();
    if (current) await attempt(admin, () => remove(current, false));
  }

  async function remove({ id, slug, data }: StoredDocument, ifUnreferenced: boolean): Promise<void> {
    const { data: history } = await request<{ entries: readonly { commit: string }[] }>(
      'GET',
      `${urlOf(slug)}/history?limit=1`,
    );
    await request('DELETE', `${urlOf(id)}${ifUnreferenced ? '?ifUnreferenced=true' : ''}`);
    // What was not saved stays on the device, and is there again if the document comes back.
    navigate(`/admin/content/${collection.name}`);
    const commit = history.entries[0]?.commit;
    const restore = async (): Promise<void> => {
      await request('POST', `${urlOf(slug)}/restore`, { body: { commit } });
      navigate(toDocumentPath(collection.name, slug));
    };
    messages.notify(
      t('done.deleted', { title: titleOf(data, slug, collection) }),
      commit === undefined ? undefined : () => void attempt(admin, restore),
    );
  }

  async function exportFile(): Promise<void> {
    const current = stored();
    if (!current) return;
    const text = JSON.stringify({ ...current, data: document.data() }, undefined, 2);
    const link = globalThis.document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'application/json' }));
    link.download = `${current.slug}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  return {
    dialog,
    ...{ save, publish, rename, askDelete, deleteReferenced, exportFile },
    keys: { save: () => void save(), publish: () => void publish() },
    schedule: (what: Pick<DocumentChange, 'publishAt' | 'unpublishAt'>) => {
      dialog.value = undefined;
      const isCleared = what.publishAt === null && what.unpublishAt === null;
      void change(what, t(isCleared ? 'done.unscheduled' : 'done.scheduled'));
    },
    unpublish: () => void change({ status: 'draft' }, t('done.unpublished'), { status: 'published' }),
    archive: () => {
      const before = stored()?.status ?? 'draft';
      void change({ status: 'archived' }, t('done.archived'), { status: before });
    },
    duplicate() {
      const current = stored();
      if (current) navigate(`${toDocumentPath(collection.name, 'new')}?${new URLSearchParams({ from: current.slug })}`);
    },
    async discard() {
      const edits = document.edits.peek();
      await document.discard();
      messages.notify(t('done.discarded'), () => {
        for (const [key, { value }] of edits) document.set(key, value);
      });
    },
  };
}

export type Actions = ReturnType<typeof useActions>;

async function attempt({ messages }: Admin, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    messages.fail(toSentence(error));
  }
}
