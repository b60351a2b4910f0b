// What went wrong, as a sentence for people.
import { t } from '../text/translate.ts';
import { OfflineError } from './client.ts';

/** What the service said, or that it could not be reached. */
export function toSentence(error: unknown): string {
  if (error instanceof OfflineError) return t('state.offline');
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
