// `theme.json`: texts in the languages of the theme, and values that its templates read. The texts of the built-in theme
// stand in for those that a theme does not have.
import { z } from 'zod';
import { ThemeError } from './theme-error.ts';
import type { ThemeFiles } from './theme-files.ts';

/** A text, or one for each plural form of the language (CLDR: zero, one, two, few, many, other). */
const ThemeText = z.union([
  z.string(),
  z.partialRecord(z.enum(['zero', 'one', 'two', 'few', 'many', 'other']), z.string()),
]);

export const ThemeSettings = z.strictObject({
  texts: z.record(z.string(), z.record(z.string(), ThemeText)).default({}),
  settings: z.record(z.string(), z.unknown()).default({}),
});
export type ThemeSettings = z.output<typeof ThemeSettings>;

const FILE = 'theme.json';

/** @throws ThemeError */
export function parseThemeSettings(files: Pick<ThemeFiles, 'files'>): ThemeSettings {
  const bytes = files.files.get(FILE)?.bytes;
  if (!bytes) return { texts: {}, settings: {} };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ThemeError(FILE, `not valid JSON: ${error.message}`);
    throw error;
  }
  const parsed = ThemeSettings.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ThemeError(FILE, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
}

export interface ThemeTexts {
  /** The text of a key in a locale; `{name}` in it is replaced by a value. The key itself if no language has it. */
  find(locale: string, key: string, values: Record<string, unknown>): string;
}

/** Looks in the locale, its language, the site's default locale, and English. */
export function createTexts(
  own: ThemeSettings['texts'],
  builtIn: ThemeSettings['texts'],
  defaultLocale: string,
): ThemeTexts {
  const plurals = new Map<string, Intl.PluralRules>();

  function pluralOf(locale: string, count: number): Intl.LDMLPluralRule {
    let rules = plurals.get(locale);
    if (!rules) plurals.set(locale, (rules = new Intl.PluralRules(locale)));
    return rules.select(count);
  }

  return {
    find(locale, key, values) {
      const fallbacks = [locale, toLanguage(locale), defaultLocale, toLanguage(defaultLocale), 'en'];
      for (const one of new Set(fallbacks)) {
        const text = own[one]?.[key] ?? builtIn[one]?.[key];
        if (text === undefined) continue;
        const form =
          typeof text === 'string' ? text : (text[pluralOf(one, Number(values.count ?? 0))] ?? text.other ?? '');
        return form.replace(/\{(\w+)\}/g, (whole, name: string) =>
          Object.hasOwn(values, name) ? String(values[name] ?? '') : whole,
        );
      }
      return key;
    },
  };
}

function toLanguage(locale: string): string {
  return locale.split('-')[0] ?? locale;
}
