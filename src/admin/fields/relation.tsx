// Documents that this one points to, by their slugs: found by title, linked, and shown as missing if they are.
import { useRef } from 'preact/hooks';
import { toDocumentPath } from '../config/document-path.ts';
import { type CollectionInfo, labelOf, titleOf } from '../config/manifest.ts';
import { type TitlesAnswer, toTitles, toTitlesUrl } from '../config/titles.ts';
import type { StoredDocument } from '../document/stored-document.ts';
import { useAdmin, useResource } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import { Combobox } from '../ui/combobox.tsx';
import { Chips, useChips } from './chips.tsx';
import { type ControlProps, useForm } from './control.ts';
import { ReadOnlyText } from './read-only.tsx';

const MOST_SUGGESTIONS = 20;

export function Relation(props: ControlProps) {
  const { field, value } = props;
  const { manifest } = useForm();
  const target = manifest.collections.find(({ name }) => name === field.collection);
  const slugs = (Array.isArray(value) ? value : [value]).filter(
    (slug): slug is string => typeof slug === 'string' && slug !== '',
  );
  if (!target) return <p class="error">{t('relation.unknown', { name: field.collection ?? '' })}</p>;
  return <Picker {...props} key={target.name} target={target} slugs={slugs} />;
}

interface PickerProps extends ControlProps {
  target: CollectionInfo;
  slugs: readonly string[];
}

function Picker({ target, slugs, ...props }: PickerProps) {
  const { id, label, field, onChange, isReadOnly } = props;
  const { request, session } = useAdmin();
  const { locale } = useForm();
  const isFull = field.multiple ? field.max !== undefined && slugs.length >= field.max : false;
  const titles = useTitles(target, slugs);
  /** Those that were seen here: a name stays while the titles of other slugs are read. */
  const seen = useRef(new Map<string, string>()).current;
  for (const [slug, title] of titles ?? []) seen.set(slug, title);

  function set(next: readonly string[]): void {
    if (field.multiple) onChange(next);
    else onChange(next.at(-1) ?? null);
  }

  const removal = useChips(slugs, set, !field.multiple);
  const labelOfSlug = (slug: string): string => seen.get(slug) ?? slug;

  async function suggest(query: string, signal: AbortSignal) {
    const words = query.trim();
    const asked = words === '' ? 'orderBy=updatedAt&order=desc' : `q=${encodeURIComponent(words)}`;
    const url = `/api/cms/${target.name}?limit=${MOST_SUGGESTIONS}&${asked}`;
    const { data } = await request<{ documents: readonly StoredDocument[] }>('GET', url, { signal });
    return data.documents
      .filter(({ slug }) => !slugs.includes(slug))
      .map((one) => {
        const label = titleOf(one.data, one.slug, target);
        seen.set(one.slug, label);
        return { value: one.slug, label, note: noteOf(one, locale) };
      });
  }

  return (
    <>
      <Chips
        chips={slugs.map((slug) => ({
          value: slug,
          label: labelOfSlug(slug),
          href: toDocumentPath(target.name, slug),
          isMissing: titles !== undefined && !titles.has(slug),
        }))}
        removal={removal}
        values={slugs}
        onChange={set}
        isReadOnly={isReadOnly}
        label={isReadOnly ? label : undefined}
        canMove={field.multiple ?? false}
      />
      {isReadOnly && slugs.length === 0 && (
        <ReadOnlyText {...{ id, field, label }} describedBy={props.describedBy} isInvalid={props.isInvalid} text="" />
      )}
      {!isReadOnly && !isFull && (
        <Combobox
          id={id}
          label={label}
          describedBy={props.describedBy}
          isInvalid={props.isInvalid}
          placeholder={field.ui?.placeholder ?? t('relation.placeholder', { label: labelOf(target) })}
          suggest={suggest}
          onChoose={(slug) => set([...slugs, slug])}
          onBack={() => removal.remove(slugs.length - 1, labelOfSlug(slugs.at(-1) ?? ''))}
        />
      )}
      {!isReadOnly && session.may('content:draft') && (
        <p class="help">
          <a href={toDocumentPath(target.name, 'new')} target="_blank" rel="noreferrer">
            {t('relation.create', { label: labelOf(target) })}
          </a>
        </p>
      )}
    </>
  );
}

function noteOf({ status, locale }: StoredDocument, own: string | undefined): string {
  const parts = [status === 'published' ? '' : t(`status.${status}`), locale !== own ? (locale ?? '') : ''];
  return parts.filter(Boolean).join(', ');
}

/** Undefined while they are loading, or if they cannot be. */
function useTitles(target: CollectionInfo, slugs: readonly string[]): ReadonlyMap<string, string> | undefined {
  const { state } = useResource<TitlesAnswer>(toTitlesUrl(target.name, slugs));
  return state.kind === 'ready' ? toTitles(state.data, target) : undefined;
}
