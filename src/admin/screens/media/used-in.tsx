// The documents that use a file.

import { useEffect, useId, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { toDocumentPath } from '../../config/document-path.ts';
import { type MediaFile, toPath } from '../../media/media-file.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';

export interface FileReferences {
  references: readonly { collection: string; slug: string; title: string; field: string }[];
  total: number;
}

/** Undefined until they are known. Not followed: after the file is deleted nobody may ask. */
export function useReferences(file: MediaFile): FileReferences | undefined {
  const { request, messages } = useAdmin();
  const [found, setFound] = useState<FileReferences>();
  useEffect(() => {
    request<FileReferences>('GET', `/api/media/${toPath(file)}/references`).then(
      ({ data }) => setFound(data),
      (error) => messages.fail(toSentence(error)),
    );
  }, [file.url]);
  return found;
}

export function UsedIn({ references }: { references: FileReferences | undefined }) {
  const id = useId();
  return (
    <section class="used-in" aria-labelledby={id} aria-busy={references === undefined}>
      <h3 id={id}>{t('media.usedIn')}</h3>
      {references?.total === 0 && <p class="empty">{t('media.unused')}</p>}
      {!!references?.total && (
        <ul>
          {references.references.map(({ collection, slug, title, field }) => (
            <li key={`${collection}/${slug}/${field}`}>
              <a href={toDocumentPath(collection, slug)}>
                <bdi>{title || slug}</bdi>
              </a>{' '}
              <span class="help">{t('references.in', { field })}</span>
            </li>
          ))}
        </ul>
      )}
      {references && references.total > references.references.length && (
        <p class="help">{t('dashboard.more', { count: references.total - references.references.length })}</p>
      )}
    </section>
  );
}
