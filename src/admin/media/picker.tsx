// Choosing a file of the library, or bringing a new one: for fields, galleries and rich text.
import { useRef, useState } from 'preact/hooks';
import { useAdmin } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { FileFacts, FileTile } from './file-tile.tsx';
import { FolderChoice } from './folders.tsx';
import type { UploadedFile } from './media-file.ts';
import { type FileKind, isOfKinds, type MediaFile, toAccept } from './media-file.ts';
import { noteKnown } from './note-known.ts';
import { UploadButton } from './upload-button.tsx';
import { UploadList } from './upload-list.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { useFiles } from './use-files.ts';
import { useUploads } from './use-uploads.ts';

/** Of a file that was uploaded just now, nobody has written an alt text. */
export type ChosenFile = UploadedFile & Partial<Pick<MediaFile, 'alt' | 'tags'>>;

export interface FilePickerProps {
  /** Only these kinds; all of them if absent, or if `file` is one of them. */
  kinds?: readonly FileKind[];
  onChoose(file: ChosenFile): void;
  onClose(): void;
}

export function FilePicker({ kinds = [], onChoose, onClose }: FilePickerProps) {
  const { session, messages } = useAdmin();
  const [q, setQuery] = useState('');
  const [folder, setFolder] = useState('');
  const body = useRef<HTMLDivElement>(null);
  const list = useFiles({ kinds, q, folder: folder || undefined });
  const uploads = useUploads(() => folder || undefined);
  const mayUpload = session.may('media:write');

  async function upload(files: readonly File[]): Promise<void> {
    const done = await uploads.add(files);
    noteKnown(messages, done);
    const fitting = done.filter((file) => isOfKinds(file, kinds));
    // One file that was brought is the one that is meant.
    if (files.length === 1 && fitting.length === 1) onChoose(fitting[0]!);
    else list.reload();
  }

  const isOver = useFileDrop(() => body.current?.closest('dialog') ?? null, mayUpload ? upload : undefined);
  return (
    <Dialog title={t('media.choose')} class={`picker ${isOver ? 'is-over' : ''}`} onClose={onClose}>
      <div class="picker-body" ref={body}>
        <div class="picker-bar">
          <SearchField label={t('media.search')} value={q} onSearch={setQuery} />
          <FolderChoice folder={folder} onChoose={setFolder} />
          {mayUpload && <UploadButton accept={toAccept(kinds)} onFiles={(files) => void upload(files)} />}
        </div>
        <UploadList uploads={uploads} />
        {list.error !== undefined && <Failed error={list.error} onRetry={list.reload} />}
        {list.files === undefined && list.error === undefined && <Loading />}
        {list.files?.length === 0 && <p class="empty">{t(q || folder ? 'media.noneFound' : 'media.none')}</p>}
        {list.files !== undefined && (
          <ul class="tiles" aria-label={t('media.files')}>
            {list.files.map((file) => (
              <li class="tile" key={file.url}>
                <button
                  type="button"
                  aria-label={t('media.chooseOne', { name: file.name })}
                  onClick={() => onChoose(file)}
                >
                  <FileTile file={file} />
                </button>
                <FileFacts file={file} />
              </li>
            ))}
          </ul>
        )}
        {list.files !== undefined && !list.isDone && (
          <button type="button" onClick={list.more}>
            {t('media.more')}
          </button>
        )}
      </div>
      <div class="dialog-end">
        {mayUpload && <span class="help">{t('media.dropHint')}</span>}
        <button type="button" onClick={onClose}>
          {t('app.cancel')}
        </button>
      </div>
    </Dialog>
  );
}
