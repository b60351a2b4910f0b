// The fields of an item in a form, to change before it is decided.
import '../../text/en-document.ts';
import '../../text/en-media.ts';
import '../../text/en-rich-text.ts';
import { signal, useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { CollectionInfo, FieldInfo, Manifest } from '../../config/manifest.ts';
import { withEdit, withEdits } from '../../document/edits.ts';
import { dataKey } from '../../document/stored-document.ts';
import { FormContext } from '../../fields/control.ts';
import { Field } from '../../fields/field.tsx';
import { fieldId } from '../../fields/field-id.ts';
import { useAdmin } from '../../shell/admin.ts';
import type { Kept } from '../../shell/use-kept.ts';
import { t } from '../../text/translate.ts';
import { ConflictQuestion } from '../document/conflict-question.tsx';
import { useFiles } from '../document/use-files.ts';
import type { FieldValues, QueueItem } from './item-fields.ts';
import { useItemEdits, useItemSaving } from './use-item-edits.ts';

export interface EditItemProps {
  item: QueueItem;
  /** The version of the item. */
  etag: string | undefined;
  url: string;
  manifest: Manifest;
  collection: CollectionInfo;
  /** The fields of the document that the item changes, as they are shown. */
  document: FieldValues | undefined;
  /** What is proposed: the item's own values, or those of an alternative, which become its own. */
  values: FieldValues;
  /** Where the tab keeps what is typed here: it is there again when one comes back to the item, also after a reload. */
  kept: Kept;
  /** Their names in the order of the form. */
  names: readonly string[];
  onClose(): void;
  onSaved(): void;
  /** What was thrown away is wanted after all. */
  onReopen(): void;
}

const nothingWanted = signal<string | undefined>(undefined);

export function EditItem(props: EditItemProps) {
  const { item, manifest, collection, names, kept, ...then } = props;
  const { messages } = useAdmin();
  const { isTyped, ...typed } = useItemEdits(props);
  const { edits, change, forget } = typed;
  const edited = withEdits(item.data, edits.value);
  const { isBusy, refused, conflicts, save, decide, postpone } = useItemSaving(props, typed);
  const problems = useComputed(() => refused.value);
  const spoken = useSignal('');
  const { dialog, files } = useFiles();
  useFirstField(names[0]);

  function cancel(): void {
    const before = kept.read() ?? '';
    forget();
    then.onClose();
    if (!isTyped) return;
    messages.notify(t('curation.discarded'), () => {
      kept.keep(before);
      then.onReopen();
    });
  }

  const form = {
    ...{ manifest, collection: collection.name, problems, wanted: nothingWanted, ...files },
    locale: item.change.locale,
    announce: (text: string) => {
      spoken.value = text;
    },
  };
  return (
    <FormContext.Provider value={form}>
      <form
        class="edit-item"
        aria-label={t('curation.editing')}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
            event.preventDefault();
            void save();
          }
        }}
      >
        <p class="help">{t('curation.editText')}</p>
        <div class="fields">
          {names.map((name) => (
            <Field
              key={name}
              field={fieldOf(collection, name)}
              path={dataKey(name)}
              value={edited[name]}
              isReadOnly={false}
              onChange={(value) => change(withEdit(edits.value, item, dataKey(name), value))}
            />
          ))}
        </div>
        <div class="buttons">
          <button type="submit" class="primary" aria-disabled={isBusy || edits.value.size === 0}>
            {t('curation.save')}
          </button>
          <button type="button" onClick={cancel}>
            {t('app.cancel')}
          </button>
        </div>
        <p class="hidden" aria-live="polite">
          {spoken.value}
        </p>
      </form>
      {dialog}
      {conflicts && (
        <ConflictQuestion
          {...{ collection, conflicts }}
          texts={{
            text: t('curation.editConflict'),
            again: t('curation.editConflictAgain'),
            choices: { mine: t('conflict.mine'), theirs: t('conflict.theirs'), both: t('conflict.both') },
            save: t('conflict.save'),
            back: t('conflict.back'),
          }}
          onDecide={decide}
          onClose={postpone}
        />
      )}
    </FormContext.Provider>
  );
}

function fieldOf({ fields }: CollectionInfo, name: string): FieldInfo {
  return fields.find((field) => field.name === name) ?? { name, type: 'unknown' };
}

/** Before the form is seen: later it would take the focus from a field that one has chosen already. */
function useFirstField(name: string | undefined): void {
  useLayoutEffect(() => {
    if (name !== undefined) document.getElementById(fieldId(dataKey(name)))?.focus();
  }, []);
}
