// What something could not be done to, and why.
import { t } from '../text/translate.ts';

export interface Failure {
  id: string;
  href: string;
  title: string;
  reason: string;
}

const SHOWN = 50;

export interface FailuresProps {
  title: string;
  failures: readonly Failure[];
  onClose(): void;
}

export function Failures({ title, failures, onClose }: FailuresProps) {
  if (failures.length === 0) return null;
  return (
    <div class="problem failures" role="alert">
      <p>{title}</p>
      <ul>
        {failures.slice(0, SHOWN).map(({ id, href, title: name, reason }) => (
          <li key={id}>
            <a href={href}>
              <bdi>{name}</bdi>
            </a>{' '}
            {reason}
          </li>
        ))}
      </ul>
      {failures.length > SHOWN && <p class="help">{t('dashboard.more', { count: failures.length - SHOWN })}</p>}
      <button type="button" onClick={onClose}>
        {t('app.dismiss')}
      </button>
    </div>
  );
}
