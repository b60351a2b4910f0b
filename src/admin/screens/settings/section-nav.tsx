import { t } from '../../text/translate.ts';

export interface SectionEntry {
  name: string;
  title: string;
  path: string;
  /** How many settings in it are edited and not saved. */
  changes: number;
}

export function SectionNav({ entries, chosen }: { entries: readonly SectionEntry[]; chosen: string }) {
  return (
    <nav class="section-nav" aria-label={t('settings.sections')}>
      <ul>
        {entries.map(({ name, title, path, changes }) => (
          <li key={name}>
            <a href={path} aria-current={name === chosen ? 'page' : undefined}>
              {title}
              {changes > 0 && (
                <span class="count" title={t('settings.unsaved', { count: changes })}>
                  <span aria-hidden="true">{changes}</span>
                  <span class="hidden">{t('settings.unsaved', { count: changes })}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
