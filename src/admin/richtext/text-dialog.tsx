// A dialog with one text: the address of a link, or the alt text of an image.
import { useState } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';

export interface TextDialogProps {
  title: string;
  label: string;
  help?: string;
  value: string;
  /** Undefined if there is nothing to remove. */
  onRemove?: (() => void) | undefined;
  removeLabel?: string;
  onSave(value: string): void;
  onClose(): void;
}

export function TextDialog(props: TextDialogProps) {
  const { title, label, help, onRemove, removeLabel, onSave, onClose } = props;
  const [value, setValue] = useState(props.value);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // It is inside the form of the document.
          event.stopPropagation();
          onSave(value.trim());
        }}
      >
        <TextField {...{ label, value }} name="text" onInput={setValue} required={false} {...(help ? { help } : {})} />
        <div class="rt-buttons">
          <button type="submit" class="primary">
            {t('rt.apply')}
          </button>
          {onRemove && (
            <button type="button" onClick={onRemove}>
              {removeLabel}
            </button>
          )}
          <button type="button" onClick={onClose}>
            {t('rt.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
