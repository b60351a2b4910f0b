// Deleting a document: at once if no other document points to it, with a way back.
import type { Signal } from '@preact/signals';
import { ApiError } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { toCollectionPath, toDocumentPath } from '../../config/document-path.ts';
import { type CollectionInfo, titleOf } from '../../config/manifest.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import type { Admin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import type { OpenDialog, Reference } from './open-dialog.ts';

interface DeletionParts {
  collection: CollectionInfo;
  stored(): StoredDocument | undefined;
  dialog: Signal<OpenDialog | undefined>;
  navigate(path: string): void;
}

export function deletion(admin: Admin, { collection, stored, dialog, navigate }: DeletionParts) {
  const { messages, request } = admin;
  const urlOf = (id: string): string => `/api/cms/${collection.name}/${id}`;

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
          `${urlOf(current.id)}/references?limit=10`,
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
      `${urlOf(id)}/history?limit=1`,
    );
    await request('DELETE', `${urlOf(id)}${ifUnreferenced ? '?ifUnreferenced=true' : ''}`);
    // What was not saved stays on the device, and is there again if the document comes back.
    navigate(toCollectionPath(collection.name));
    const commit = history.entries[0]?.commit;
    const restore = async (): Promise<void> => {
      await request('POST', `${urlOf(id)}/restore`, { body: { commit } });
      navigate(toDocumentPath(collection.name, slug));
    };
    messages.notify(
      t('done.deleted', { title: titleOf(data, slug, collection) }),
      commit === undefined ? undefined : () => void attempt(admin, restore),
    );
  }

  return { askDelete, deleteReferenced };
}

async function attempt({ messages }: Admin, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    messages.fail(toSentence(error));
  }
}
