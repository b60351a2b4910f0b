// A folder is there with its first file, so a new one is only a name to go to.
import { useState } from 'preact/hooks';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { toFolderName } from './media-address.ts';

export interface NewFolderProps {
  parent: string;
  onMake(path: string): void;
  onClose(): void;
}

export function NewFolder({ parent, onMake, onClose }: NewFolderProps) {
  const [text, setText] = useState('');
  const name = toFolderName(text);
  return (
    <Dialog title={t('media.newFolder')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name) onMake(parent ? `${parent}/${name}` : name);
        }}
      >
        <TextField
          label={t('media.folderName')}
          name="folder"
          value={text}
          onInput={setText}
          autocomplete="off"
          help={t('media.folderHelp', { name: name || '…' })}
        />
        <div class="buttons">
          <button type="submit" class="primary" disabled={!name}>
            {t('media.openFolder')}
          </button>
          <button type="button" onClick={onClose}>
            {t('app.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
