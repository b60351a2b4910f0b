// What went wrong, as a sentence for people.
import { t } from '../text/translate.ts';
import { ApiError, LostError, OfflineError } from './client.ts';

/** What the service said, or that it could not be reached; with what helps next: when to try again, what to report. */
export function toSentence(error: unknown): string {
  const sentence = toPlainSentence(error);
  if (!(error instanceof ApiError)) return sentence;
  const more = [
    error.status === 429 && error.retryAfter !== undefined && t('state.tooMany', { count: error.retryAfter }),
    error.status === 500 && error.requestId !== undefined && `${t('state.request', { id: error.requestId })}.`,
  ].filter((one) => one !== false);
  return more.length === 0 ? sentence : [/[.!?]$/.test(sentence) ? sentence : `${sentence}.`, ...more].join(' ');
}

/** For a place that says the rest beside it. */
export function toPlainSentence(error: unknown): string {
  if (error instanceof OfflineError) return t(error instanceof LostError ? 'state.lost' : 'state.offline');
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
