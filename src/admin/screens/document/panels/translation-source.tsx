// The text that one translates, beside the form: to be read and copied, not changed.
import { useId } from 'preact/hooks';
import { type CollectionInfo, labelOf, type Manifest } from '../../../config/manifest.ts';
import type { StoredDocument } from '../../../document/stored-document.ts';
import { useResource } from '../../../shell/admin.ts';
import { toLanguage } from '../../../text/languages.ts';
import { t } from '../../../text/translate.ts';
import { toText } from '../../../ui/difference.tsx';
import { Loaded } from '../../../ui/states.tsx';

export interface TranslationSourceProps {
  manifest: Manifest;
  collection: CollectionInfo;
  slug: string;
}

export function TranslationSource({ manifest, collection, slug }: TranslationSourceProps) {
  const id = useId();
  const { state, refresh } = useResource<StoredDocument>(`/api/cms/${collection.name}/${encodeURIComponent(slug)}`);
  return (
    <Loaded state={state} onRetry={refresh}>
      {({ data, locale }) => {
        const tag = locale ?? manifest.defaultLocale ?? '';
        const fields = collection.fields.filter(({ name }) => toText(data[name]) !== '');
        return (
          <section class="translation-source" aria-labelledby={id} lang={tag || undefined}>
            <h2 id={id}>{t('translations.source', { language: tag === '' ? slug : toLanguage(tag) })}</h2>
            <dl>
              {fields.map((field) => (
                <div key={field.name}>
                  <dt>{labelOf(field)}</dt>
                  <dd class="version">{toText(data[field.name])}</dd>
                </div>
              ))}
            </dl>
          </section>
        );
      }}
    </Loaded>
  );
}
