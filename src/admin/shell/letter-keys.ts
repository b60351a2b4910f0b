// Keys of one sign, such as `n` or `?`: people who speak to their computer, or tremble, turn them off (WCAG 2.1.4). Pure.

export const LETTER_KEYS = 'letterKeys';

/** False if the person has turned them off, on each of their devices. */
export function hasLetterKeys(preferences: Readonly<Record<string, unknown>>): boolean {
  return preferences[LETTER_KEYS] !== false;
}

/** Whether a key is one of them; Space and named keys are not. */
export function isLetterKey(key: string): boolean {
  return /^\S$/u.test(key);
}
