// The fields of an item in a form, to change before it is decided.
import '../../text/en-document.ts';
import '../../text/en-media.ts';
import '../../text/en-rich-text.ts';
import { signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import type { CollectionInfo, FieldInfo, Manifest } from '../../config/manifest.ts';
import { isEqual } from '../../document/is-equal.ts';
import { dataKey } from '../../document/stored-document.ts';
import { FormContext } from '../../fields/control.ts';
import { Field } from '../../fields/field.tsx';
import { fieldId } from '../../fields/field-id.ts';
import { useAdmin } from '../../shell/admin.ts';
import type { Kept } from '../../shell/use-kept.ts';
import { t } from '../../text/translate.ts';
import { useFiles } from '../document/use-files.ts';
import type { FieldValues, QueueItem } from './item-fields.ts';

export interface EditItemProps {
  item: QueueItem;
  url: string;
  manifest: Manifest;
  collection: CollectionInfo;
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

export function EditItem({ item, url, manifest, collection, values, names, kept, ...then }: EditItemProps) {
  const { request, messages } = useAdmin();
  const [typed, setTyped] = useState<FieldValues>(() => JSON.parse(kept.read() ?? '{}'));
  const edited: FieldValues = { ...values, ...typed };
  const [isBusy, setBusy] = useState(false);
  const refused = useSignal<ReadonlyMap<string, string>>(new Map());
  const problems = useComputed(() => refused.value);
  const spoken = useSignal('');
  const { dialog, files } = useFiles();
  const isChanged = !isEqual(edited, item.data);
  useFirstField(names[0]);

  function change(name: string, value: unknown): void {
    setTyped((before) => {
      const next = { ...before, [name]: value };
      kept.keep(JSON.stringify(next));
      return next;
    });
  }

  function cancel(): void {
    kept.keep('');
    then.onClose();
    if (isEqual(edited, values)) return;
    messages.notify(t('curation.discarded'), () => {
      kept.keep(JSON.stringify(typed));
      then.onReopen();
    });
  }

  async function save(): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    const fields = Object.fromEntries(
      Object.entries(edited).filter(([name, value]) => !isEqual(value, item.data[name])),
    );
    try {
      await request('PATCH', url, { body: { fields, status: 'in_review' } });
      messages.notify(t('curation.saved'));
      kept.keep('');
      then.onSaved();
      then.onClose();
    } catch (error) {
      if (error instanceof ApiError) {
        refused.value = new Map(error.details.map(({ path, message }) => [toPath(path), message]));
      }
      messages.fail(toSentence(error));
    } finally {
      setBusy(false);
    }
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
              onChange={(value) => change(name, value)}
            />
          ))}
        </div>
        <div class="buttons">
          <button type="submit" class="primary" aria-disabled={isBusy || !isChanged}>
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
    </FormContext.Provider>
  );
}

function fieldOf({ fields }: CollectionInfo, name: string): FieldInfo {
  return fields.find((field) => field.name === name) ?? { name, type: 'unknown' };
}

/** The service names values as `body` or `data.items[2].name`. */
function toPath(path: string): string {
  const plain = path.replace(/\[(\d+)\]/g, '.$1').replace(/^fields\./, '');
  return plain.startsWith('data.') ? plain : dataKey(plain);
}

function useFirstField(name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) document.getElementById(fieldId(dataKey(name)))?.focus();
  }, []);
}
