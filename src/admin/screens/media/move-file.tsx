// Another folder or name for a file; the documents that use it follow, unless one does not want that.
import { useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useFolders } from '../../media/folders.tsx';
import type { MediaFile } from '../../media/media-file.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { toFileName, toFolderPath } from './media-address.ts';
import type { FileReferences } from './used-in.tsx';

export interface FileMove {
  folder?: string;
  name?: string;
  updateReferences: boolean;
}

export interface MoveFileProps {
  file: MediaFile;
  references: FileReferences | undefined;
  /** Rejects with what stands in the way. */
  onMove(move: FileMove): Promise<void>;
  onClose(): void;
}

export function MoveFile({ file, references, onMove, onClose }: MoveFileProps) {
  const { session } = useAdmin();
  const folders = useFolders().flatMap(({ folder }) => folder || []);
  const [folderText, setFolder] = useState(file.folder);
  const [nameText, setName] = useState(file.name);
  const [isFollowed, setFollowed] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const folder = folderText === file.folder ? file.folder : toFolderPath(folderText);
  const name = nameText === file.name ? file.name : toFileName(nameText, file.name);
  const isThere = name !== '' && (folder !== '' || file.folder === '');
  const count = references?.total ?? 0;
  const mayFollow = session.may('content:draft');

  async function submit(): Promise<void> {
    if (!isThere || isBusy) return;
    if (folder === file.folder && name === file.name) return onClose();
    setBusy(true);
    setError(undefined);
    try {
      await onMove({
        ...(folder === file.folder ? {} : { folder }),
        ...(name === file.name ? {} : { name }),
        updateReferences: mayFollow && isFollowed,
      });
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }

  return (
    <Dialog title={t('media.move')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label={t('media.folder')}
          name="folder"
          value={folderText}
          onInput={setFolder}
          required={file.folder !== ''}
          autocomplete="off"
          suggestions={folders}
        />
        <TextField
          label={t('media.name')}
          name="name"
          value={nameText}
          onInput={setName}
          autocomplete="off"
          help={t('media.moveHelp', { address: isThere ? `/uploads/${folder ? `${folder}/` : ''}${name}` : '…' })}
        />
        {references && <p class="help">{count === 0 ? t('media.unused') : t('media.usedIn.count', { count })}</p>}
        {count > 0 && mayFollow && (
          <label class="tick">
            <input
              type="checkbox"
              checked={isFollowed}
              onChange={({ currentTarget }) => setFollowed(currentTarget.checked)}
            />
            {t('media.follow')}
          </label>
        )}
        {count > 0 && !(mayFollow && isFollowed) && <p class="help">{t('media.followNot')}</p>}
        {error !== undefined && (
          <p class="error" role="alert">
            {toSentence(error)}
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="primary" disabled={!isThere || isBusy}>
            {t('media.moveNow')}
          </button>
          <button type="button" onClick={onClose}>
            {t('app.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
