import { t } from '../../text/translate.ts';
import { toMediaUrl } from './media-address.ts';

/** The way back from a folder; nothing for the whole library. */
export function Crumbs({ folder }: { folder: string }) {
  if (folder === '') return null;
  const names = folder.split('/');
  return (
    <nav class="crumbs" aria-label={t('media.path')}>
      <ol>
        <li>
          <a href="/admin/media">{t('media.allFiles')}</a>
        </li>
        {names.map((name, at) => {
          const path = names.slice(0, at + 1).join('/');
          return (
            <li key={path}>
              <a
                href={toMediaUrl({ folder: path, q: '', file: '' })}
                aria-current={at === names.length - 1 ? 'page' : undefined}
              >
                <bdi>{name}</bdi>
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
