import { useId, useState } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { Dialog } from './dialog.tsx';

export interface AddTagsProps {
  /** What happens to how many. */
  help: string;
  known: readonly string[];
  onAdd(tags: readonly string[]): void;
  onClose(): void;
}

export function AddTags({ help, known, onAdd, onClose }: AddTagsProps) {
  const [text, setText] = useState('');
  const id = useId();
  const tags = [...new Set(text.split(',').map((one) => one.trim()))].filter(Boolean);
  return (
    <Dialog title={t('bulk.tag')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (tags.length > 0) onAdd(tags);
        }}
      >
        <div class="field">
          <label for={id}>{t('list.tags')}</label>
          <input
            id={id}
            name="tags"
            value={text}
            list={`${id}-known`}
            aria-describedby={`${id}-help`}
            autocomplete="off"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <datalist id={`${id}-known`}>
            {known.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
          <p class="help" id={`${id}-help`}>
            {help}
          </p>
        </div>
        <div class="buttons">
          <button type="submit" class="primary" disabled={tags.length === 0}>
            {t('bulk.tag')}
          </button>
          <button type="button" onClick={onClose}>
            {t('app.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
