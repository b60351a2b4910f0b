import { useState } from 'preact/hooks';
import { toDocumentPath } from '../../../config/document-path.ts';
import type { CollectionInfo } from '../../../config/manifest.ts';
import { fieldId } from '../../../fields/field-id.ts';
import { t } from '../../../text/translate.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { BrokenIn, FindTitle } from './link-report.ts';

const PAGE = 50;

export interface BrokenLinksProps {
  found: readonly BrokenIn[];
  collections: readonly CollectionInfo[];
  findTitle: FindTitle;
}

export function BrokenLinks({ found, collections, findTitle }: BrokenLinksProps) {
  const [count, setCount] = useState(PAGE);
  return (
    <>
      <ul class="rows broken-links" aria-label={t('links.list')}>
        {found.slice(0, count).map((one) => (
          <BrokenDocument
            key={`${one.collection}/${one.slug}`}
            found={one}
            info={collections.find(({ name }) => name === one.collection)}
            title={findTitle(one.collection, one.slug) ?? one.slug}
          />
        ))}
      </ul>
      {count < found.length && (
        <button type="button" onClick={() => setCount(count + PAGE)}>
          {t('media.more')}
        </button>
      )}
    </>
  );
}

interface BrokenDocumentProps {
  found: BrokenIn;
  info: CollectionInfo | undefined;
  title: string;
}

function BrokenDocument({ found: { collection, slug, links }, info, title }: BrokenDocumentProps) {
  const path = toDocumentPath(collection, slug);
  return (
    <li>
      <span class="row-title">
        <a href={path}>
          <bdi>{title}</bdi>
        </a>{' '}
        <span class="help">
          {title !== slug && (
            <>
              <bdi dir="ltr">{slug}</bdi> ·{' '}
            </>
          )}
          {info?.label ?? collection}
        </span>
      </span>
      <ul>
        {links.map((link) => (
          <li key={`${link.url} ${link.field}`}>
            <Icon name={link.kind === 'external' ? 'external' : 'warning'} />
            <span>
              <bdi class="address" dir="ltr">
                {link.url}
              </bdi>
              <span class="help">
                {toReason(link)} ·{' '}
                <a
                  href={`${path}#${fieldId(`data.${link.field}`)}`}
                  aria-label={t('links.toField', { field: labelOf(info, link.field), title })}
                >
                  {labelOf(info, link.field)}
                </a>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
}

const ERRORS = [
  ...(['not_found', 'not_published', 'bad_url', 'timeout', 'unreachable', 'private_address'] as const),
  ...(['redirect_loop', 'too_many_redirects'] as const),
];

function isKnown(error: string): error is (typeof ERRORS)[number] {
  return (ERRORS as string[]).includes(error);
}

function toReason({ error, status }: BrokenIn['links'][number]): string {
  if (status !== null) return t('links.error.http_status', { status });
  return isKnown(error) ? t(`links.error.${error}`) : error;
}

function labelOf(collection: CollectionInfo | undefined, field: string): string {
  const [name = ''] = field.split(/[.[]/);
  return collection?.fields.find((one) => one.name === name)?.label ?? name;
}
