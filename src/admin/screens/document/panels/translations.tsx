// The other languages of a document: those that exist, and those that one can begin.
import { toDocumentPath } from '../../../config/document-path.ts';
import { titleOf } from '../../../config/manifest.ts';
import type { StoredDocument } from '../../../document/stored-document.ts';
import { useResource } from '../../../shell/admin.ts';
import { useNavigate } from '../../../shell/use-navigate.ts';
import { toLanguage } from '../../../text/languages.ts';
import { t } from '../../../text/translate.ts';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { NoProvider } from '../ai/asking-parts.tsx';
import { OutOfDate } from './out-of-date.tsx';
import type { PanelProps } from './panels.tsx';
import { ProposeTexts } from './propose-texts.tsx';
import { Retranslate } from './retranslate.tsx';
import { TranslationSource } from './translation-source.tsx';

export function Translations(props: PanelProps) {
  const { manifest, collection, document } = props;
  const source = document.value('translationOf').value;
  return (
    <>
      <Languages {...props} />
      <ProposeTexts {...props.proposing} />
      {!document.latest.value && source !== undefined && <NoProvider manifest={manifest} />}
      {typeof source === 'string' && source !== '' && <TranslationSource {...{ manifest, collection }} slug={source} />}
    </>
  );
}

function Languages(props: PanelProps) {
  const { manifest, collection, document, rights } = props;
  const navigate = useNavigate();
  const stored = document.latest.value?.document;
  const locales = collection.translatable ? (collection.locales ?? manifest.locales) : [];
  const group = stored?.translationGroup;
  const { state, refresh } = useResource<{ documents: readonly StoredDocument[] }>(
    group && `/api/cms/${collection.name}?filter[translationGroup]=${encodeURIComponent(group)}&limit=100`,
  );
  if (locales.length >= 2 && !stored) {
    // The text that a translation is made from says enough.
    return document.value('translationOf').value ? null : <Empty>{t('translations.unsaved')}</Empty>;
  }
  if (locales.length < 2 || !stored) return <Empty>{t('translations.none')}</Empty>;
  const own = stored.locale ?? manifest.defaultLocale ?? '';
  const list = (documents: readonly StoredDocument[]) => {
    const byLocale = new Map(documents.map((one) => [one.locale ?? manifest.defaultLocale ?? '', one]));
    const source = documents.find(({ translationOf }) => translationOf === undefined);
    return (
      <>
        <ul class="rows">
          {locales.map((tag) => {
            const one = byLocale.get(tag);
            return (
              <li key={tag}>
                {one ? (
                  <>
                    <a
                      href={toDocumentPath(collection.name, one.slug)}
                      aria-current={one.id === stored.id ? 'page' : undefined}
                    >
                      {titleOf(one.data, one.slug, collection)}
                    </a>
                    <span class="help">
                      {toLanguage(tag)} · {one.id === stored.id ? t('translations.here') : t(`status.${one.status}`)}
                      {source && one !== source && <OutOfDate {...{ collection, source }} translation={one} />}
                    </span>
                  </>
                ) : (
                  rights.mayCreate && (
                    <button
                      type="button"
                      onClick={() =>
                        navigate(
                          `${toDocumentPath(collection.name, 'new')}?${new URLSearchParams({ from: stored.slug, locale: tag })}`,
                        )
                      }
                    >
                      {t('translations.to', { language: toLanguage(tag), tag })}
                    </button>
                  )
                )}
              </li>
            );
          })}
        </ul>
        {source && source.id !== stored.id && <Retranslate {...props} source={source} translation={stored} />}
      </>
    );
  };
  if (!group) return list([{ ...stored, locale: own }]);
  return (
    <Loaded state={state} onRetry={refresh}>
      {({ documents }) => list(documents)}
    </Loaded>
  );
}
