import '../../text/en-deploy.ts';
import { t } from '../../text/translate.ts';

/** "42 seconds", "3 min 20 s". */
export function toDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return t('runs.seconds', { count: seconds });
  return t('runs.minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}
