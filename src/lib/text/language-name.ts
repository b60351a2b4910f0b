/** The name of a language in English, for prompts; the locale itself if it has none. */
export function languageName(locale: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(locale) ?? locale;
  } catch (error) {
    // Private and extended locales.
    if (error instanceof RangeError) return locale;
    throw error;
  }
}
