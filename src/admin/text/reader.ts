// How readers are used to see dates and numbers. The texts are English; of its countries it is that of the browser.

/** Such as `en-GB`. */
export const LANGUAGE = navigator.languages.find((tag) => /^en\b/i.test(tag)) ?? 'en';

/** Made at the first use: formats take long to make, and most screens need few of them. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** One format for each of its options. */
export function toDateFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return lazily(() => new Intl.DateTimeFormat(LANGUAGE, options));
}

export function toNumber(value: number): string {
  return value.toLocaleString(LANGUAGE);
}
