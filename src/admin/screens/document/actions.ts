// What one does with a document as a whole: each says what happened, with a way back if there is one.

import { useSignal } from '@preact/signals';
import { toCollectionPath, toDocumentPath } from '../../config/document-path.ts';
import { isEqual } from '../../document/is-equal.ts';
import type { DocumentChange } from '../../document/open-document.ts';
import type { Rights } from '../../document/rights.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { deletion } from './deletion.ts';
import type { EditorProps } from './editor.tsx';
import type { OpenDialog } from './open-dialog.ts';

export function useActions({ collection, document }: EditorProps, rights: Rights) {
  const admin = useAdmin();
  const { messages } = admin;
  const navigate = useNavigate();
  const dialog = useSignal<OpenDialog | undefined>(undefined);
  const stored = (): StoredDocument | undefined => document.latest.peek()?.document;

  /** What is unsaved stays so. */
  async function change(what: DocumentChange, done: string, undo?: DocumentChange): Promise<boolean> {
    if (!(await document.change(what))) return false;
    const after = stored()?.data;
    messages.notify(done, undo && (() => void changeBack(undo, after)));
    return true;
  }

  /** A way back is no way to publish what was written since. */
  async function changeBack(undo: DocumentChange, after: StoredDocument['data'] | undefined): Promise<void> {
    if (undo.status === 'published' && !isEqual(after, stored()?.data)) messages.fail(t('done.changedSince'));
    else await change(undo, t('done.restored'));
  }

  async function save(): Promise<void> {
    if (!rights.mayEdit || document.isGone.peek()) return;
    if (stored()?.status === 'published') {
      await document.keep();
      if (document.edits.peek().size > 0) messages.notify(t('done.kept'));
    } else if (await document.save()) messages.notify(t('done.saved'));
  }

  async function publish(): Promise<void> {
    if (!rights.mayPublish || document.isGone.peek()) return;
    if (await document.save({ status: 'published' })) messages.notify(t('done.published'));
  }

  /** What goes live later is what is on the screen; a new document is saved with its date. */
  async function scheduleDraft(what: DocumentChange): Promise<void> {
    if (await document.save(what)) messages.notify(t('done.scheduled'));
  }

  async function rename(slug: string, updateReferences: boolean): Promise<void> {
    dialog.value = undefined;
    await change({ slug, updateReferences }, t('done.renamed', { slug }));
  }

  async function exportFile(): Promise<void> {
    const current = stored();
    if (!current) return;
    const { warnings: _, ...exported } = current;
    const text = JSON.stringify({ ...exported, data: document.data() }, undefined, 2);
    const link = globalThis.document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'application/json' }));
    link.download = `${current.slug}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  return {
    dialog,
    ...{ save, publish, rename, exportFile },
    ...deletion(admin, { collection, stored, dialog, navigate }),
    keys: { save: () => void save(), publish: () => void publish() },
    schedule: (what: Pick<DocumentChange, 'publishAt' | 'unpublishAt'>) => {
      dialog.value = undefined;
      const isCleared = what.publishAt === null && what.unpublishAt === null;
      if (isCleared && !stored()) return;
      if (isCleared || stored()?.status === 'published') {
        void change(what, t(isCleared ? 'done.unscheduled' : 'done.scheduled'));
      } else void scheduleDraft(what);
    },
    unpublish: () => void change({ status: 'draft' }, t('done.unpublished'), { status: 'published' }),
    archive: () => {
      const before = stored()?.status ?? 'draft';
      void change({ status: 'archived' }, t('done.archived'), { status: before });
    },
    async duplicate() {
      // The copy has what is on the screen: the new document reads it from the device.
      await document.keep();
      const current = stored();
      if (current) navigate(`${toDocumentPath(collection.name, 'new')}?${new URLSearchParams({ from: current.slug })}`);
    },
    async discard() {
      const isGone = document.isGone.peek();
      // A new document that has nothing yet.
      if (!stored() && document.edits.peek().size === 0) return navigate(toCollectionPath(collection.name));
      messages.notify(t('done.discarded'), await document.discard());
      if (isGone) navigate(toCollectionPath(collection.name));
    },
  };
}

export type Actions = ReturnType<typeof useActions>;
