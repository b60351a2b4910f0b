// Another folder for the selected files; the documents that use them follow, unless one does not want that.
import { useState } from 'preact/hooks';
import { useFolders } from '../../media/folders.tsx';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { toFolderPath } from './media-address.ts';

export interface MoveManyProps {
  count: number;
  onMove(folder: string, updateReferences: boolean): void;
  onClose(): void;
}

export function MoveMany({ count, onMove, onClose }: MoveManyProps) {
  const mayFollow = useAdmin().session.may('content:draft');
  const folders = useFolders().flatMap(({ folder }) => folder || []);
  const [text, setText] = useState('');
  const [isFollowed, setFollowed] = useState(true);
  // A folder that is there keeps its name, which a push may have given.
  const folder = folders.includes(text.trim()) ? text.trim() : toFolderPath(text);
  return (
    <Dialog title={t('many.move')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (folder) onMove(folder, mayFollow && isFollowed);
        }}
      >
        <TextField
          label={t('media.folder')}
          name="folder"
          value={text}
          onInput={setText}
          autocomplete="off"
          suggestions={folders}
          help={t('many.moveHelp', { count, folder: folder || '…' })}
        />
        {mayFollow && (
          <label class="tick">
            <input
              type="checkbox"
              checked={isFollowed}
              onChange={({ currentTarget }) => setFollowed(currentTarget.checked)}
            />
            {t('many.follow')}
          </label>
        )}
        {!(mayFollow && isFollowed) && <p class="help">{t('many.followNot')}</p>}
        <div class="buttons">
          <button type="submit" class="primary" disabled={!folder}>
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
