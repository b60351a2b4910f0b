// What can be done with the file of a dialog, each with its message, and with a way back if there is one.
import { toSentence } from '../../api/sentence.ts';
import { type MediaFile, toPath } from '../../media/media-file.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { toFileName } from './media-address.ts';
import type { FileMove } from './move-file.tsx';

export interface FileActionsParts {
  file: MediaFile;
  /** As they are typed. */
  alt: string;
  tags: readonly string[];
  onChange(): void;
  onClose(): void;
}

export function useFileActions({ file, alt, tags, onChange, onClose }: FileActionsParts) {
  const { request, messages } = useAdmin();
  const url = `/api/media/${toPath(file)}`;

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      onChange();
    } catch (error) {
      messages.fail(toSentence(error));
    }
  }

  const save = (): Promise<void> =>
    attempt(async () => {
      await request('PATCH', url, { body: { alt, tags } });
      const undo = () =>
        attempt(async () => void (await request('PATCH', url, { body: { alt: file.alt, tags: file.tags } })));
      messages.notify(t('media.saved', { name: file.name }), () => void undo());
      onClose();
    });

  /** With what was typed, which would be lost with the dialog. */
  async function move({ updateReferences, ...place }: FileMove): Promise<void> {
    const body = { ...place, updateReferences, alt, tags };
    const { data: moved } = await request<MediaFile>('PATCH', url, { body });
    const { folder, name } = file;
    const back = { folder, name, updateReferences, alt: file.alt, tags: file.tags };
    const undo = () =>
      attempt(async () => void (await request('PATCH', `/api/media/${toPath(moved)}`, { body: back })));
    const done =
      moved.folder === folder
        ? t('media.renamed', { name: moved.name })
        : t('media.moved', { name: moved.name, folder: moved.folder });
    // A file that was pushed may have a place that only a push can give.
    messages.notify(done, folder && toFileName(name, name) === name ? () => void undo() : undefined);
    onChange();
    onClose();
  }

  const remove = (): Promise<void> =>
    attempt(async () => {
      await request('DELETE', url);
      messages.notify(t('media.deleted', { name: file.name }));
      onClose();
    });

  const copy = (): Promise<void> =>
    attempt(async () => {
      const address = new URL(file.url, location.href).href;
      // Browsers have no clipboard for pages without TLS; then the address is there to be read.
      await navigator.clipboard?.writeText(address);
      messages.notify(navigator.clipboard ? t('media.copied') : address);
    });

  return { save, move, remove, copy };
}
