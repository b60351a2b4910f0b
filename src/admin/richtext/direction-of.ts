// In which direction a text runs: as its first letter does, or else as its language. Pure.

export type TextDirection = 'ltr' | 'rtl';

const LETTER = /\p{L}/u;
/** Scripts that are written from right to left, of the languages that people write on the web. */
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}]/u;
const RIGHT_TO_LEFT_SCRIPTS = /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Adlm|Samr|Mand|Rohg)$/;

/** `locale` is a BCP 47 tag; the empty string is unknown. */
export function directionOf(text: string, locale: string): TextDirection {
  const letter = LETTER.exec(text)?.[0];
  if (letter !== undefined) return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
  return RIGHT_TO_LEFT_SCRIPTS.test(scriptOf(locale)) ? 'rtl' : 'ltr';
}

function scriptOf(locale: string): string {
  try {
    return new Intl.Locale(locale).maximize().script ?? '';
  } catch (error) {
    // What is not a language tag says nothing about a script.
    if (!(error instanceof RangeError)) throw error;
    return '';
  }
}
