// The texts of the admin in the reader's language. Pure.
import { en } from './en.ts';

export type TextKey = keyof typeof en;
export type TextValues = Readonly<Record<string, string | number>>;

const plurals = new Intl.PluralRules('en');

/** The text, with its `{names}` filled in. A text with plural forms is chosen by `count`. */
export function t(key: TextKey, values: TextValues = {}): string {
  const entry: string | Partial<Record<Intl.LDMLPluralRule, string>> = en[key];
  const text = typeof entry === 'string' ? entry : (entry[plurals.select(Number(values.count))] ?? entry.other ?? '');
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? value.toLocaleString('en') : value;
  });
}
