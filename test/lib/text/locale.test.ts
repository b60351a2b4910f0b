import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isLocale } from '../../../src/lib/text/locale.ts';

test('well-formed language tags are locales, private and irregular ones too', () => {
  for (const tag of [
    'en',
    'pt-BR',
    'zh-Hant-TW',
    'de-1996',
    'sr-Latn-RS',
    'x-private',
    'x-a-b',
    'i-klingon',
    'sgn-BE-FR',
  ]) {
    assert.ok(isLocale(tag), tag);
  }
});

test('a text without the form of a language tag is not a locale', () => {
  for (const text of ['', 'e', 'en_US', 'en-', '-en', 'en--us', 'x-', 'x-toolongsubtag', '../en', 'ä']) {
    assert.not.ok(isLocale(text), text);
  }
});

test.run();
