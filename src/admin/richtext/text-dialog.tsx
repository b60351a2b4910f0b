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
  /** What is wrong with the text, which is not taken then. */
  check?(value: string): string | undefined;
  onSave(value: string): void;
  onClose(): void;
}

export function TextDialog(props: TextDialogProps) {
  const { title, label, help, onRemove, removeLabel, check, onSave, onClose } = props;
  const [value, setValue] = useState(props.value);
  const [error, setError] = useState<string>();
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // It is inside the form of the document.
          event.stopPropagation();
          const problem = check?.(value.trim());
          setError(problem);
          if (problem === undefined) onSave(value.trim());
        }}
      >
        <TextField
          {...{ label, value, error }}
          name="text"
          onInput={setValue}
          required={false}
          {...(help ? { help } : {})}
        />
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
