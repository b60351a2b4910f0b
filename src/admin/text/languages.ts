import { LANGUAGE, lazily } from './reader.ts';

const names = lazily(() => new Intl.DisplayNames(LANGUAGE, { type: 'language', fallback: 'code' }));

/** "German" for `de`; the tag itself if it has no name. */
export function toLanguage(locale: string): string {
  if (locale === '') return '';
  try {
    return names().of(locale) ?? locale;
  } catch (error) {
    if (error instanceof RangeError) return locale;
    throw error;
  }
}
