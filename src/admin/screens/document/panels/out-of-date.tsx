// Whether the source of a translation has got other words since the translation got its own; with the way to them.

import { toDocumentPath } from '../../../config/document-path.ts';
import type { CollectionInfo } from '../../../config/manifest.ts';
import type { StoredDocument } from '../../../document/stored-document.ts';
import { useResource } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';
import { type DatedChange, isOutOfDate } from './is-out-of-date.ts';

export interface OutOfDateProps {
  collection: CollectionInfo;
  source: StoredDocument;
  translation: StoredDocument;
}

export function OutOfDate(props: OutOfDateProps) {
  if (!useOutOfDate(props)) return null;
  return (
    <>
      {' · '}
      <a href={`${toDocumentPath(props.collection.name, props.source.slug)}/history`}>{t('translations.stale')}</a>
    </>
  );
}

export function useOutOfDate({ collection, source, translation }: OutOfDateProps): boolean {
  // Nothing at all has happened to the source since the translation was begun.
  const isOld = source.updatedAt <= translation.createdAt;
  const ofSource = useChanges(collection, isOld ? undefined : source);
  const ofTranslation = useChanges(collection, isOld ? undefined : translation);
  return (
    ofSource !== undefined && ofTranslation !== undefined && isOutOfDate(ofSource, ofTranslation, collection.fields)
  );
}

function useChanges(
  { name }: CollectionInfo,
  document: StoredDocument | undefined,
): readonly DatedChange[] | undefined {
  const url = document && `/api/cms/${name}/${document.id}/history?limit=100`;
  const { state } = useResource<{ entries: readonly DatedChange[] }>(url);
  return state.kind === 'ready' ? state.data.entries : undefined;
}
