// Free words, suggested from those of the collection.
import { useAdmin } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import { Combobox } from '../ui/combobox.tsx';
import { Chips, useChips } from './chips.tsx';
import { type ControlProps, useForm } from './control.ts';
import { ReadOnlyText } from './read-only.tsx';

const MOST_SUGGESTIONS = 20;

interface Facets {
  tags: readonly { value: string; count: number }[];
}

export function Tags(props: ControlProps) {
  const { id, label, value, onChange, isReadOnly, field } = props;
  const { request } = useAdmin();
  const { collection } = useForm();
  const tags = Array.isArray(value) ? value.filter((tag): tag is string => typeof tag === 'string') : [];
  const removal = useChips(tags, onChange);
  const add = (tag: string): void => {
    if (!tags.includes(tag)) onChange([...tags, tag]);
  };
  if (isReadOnly) {
    const { describedBy, isInvalid } = props;
    return <ReadOnlyText {...{ id, field, label, describedBy, isInvalid }} text={tags.join(', ')} />;
  }
  return (
    <>
      <Chips
        chips={tags.map((tag) => ({ value: tag, label: tag }))}
        values={tags}
        onChange={onChange}
        isReadOnly={false}
        removal={removal}
      />
      <Combobox
        id={id}
        label={label}
        describedBy={props.describedBy}
        isInvalid={props.isInvalid}
        placeholder={field.ui?.placeholder ?? t('tags.placeholder')}
        suggest={async (query, signal) => {
          const { data } = await request<Facets>('GET', `/api/cms/${collection}/facets`, { signal });
          const wanted = query.trim().toLowerCase();
          return data.tags
            .filter((tag) => !tags.includes(tag.value) && tag.value.toLowerCase().includes(wanted))
            .slice(0, MOST_SUGGESTIONS)
            .map((tag) => ({ value: tag.value, label: tag.value, note: String(tag.count) }));
        }}
        onChoose={add}
        onTyped={add}
        onBack={() => removal.remove(tags.length - 1, tags.at(-1) ?? '')}
      />
    </>
  );
}
