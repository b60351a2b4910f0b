// The texts of the admin in the reader's language. Pure.
import type { en } from './en.ts';
import './en.ts';
import { closeDirections } from './directions.ts';
import type { enAccount } from './en-account.ts';
import type { enAi } from './en-ai.ts';
import type { enCalendar } from './en-calendar.ts';
import type { enDeploy } from './en-deploy.ts';
import type { enDocument } from './en-document.ts';
import type { enForms } from './en-forms.ts';
import type { enKeys } from './en-keys.ts';
import type { enLists } from './en-lists.ts';
import type { enMedia } from './en-media.ts';
import type { enOperations } from './en-operations.ts';
import type { enPublishing } from './en-publishing.ts';
import type { enRichText } from './en-rich-text.ts';
import type { enSettings } from './en-settings.ts';
import type { enWizard } from './en-wizard.ts';
import { findText } from './loaded.ts';
import { lazily, toNumber } from './reader.ts';

export type TextKey =
  | keyof typeof en
  | keyof typeof enAccount
  | keyof typeof enAi
  | keyof typeof enCalendar
  | keyof typeof enDeploy
  | keyof typeof enDocument
  | keyof typeof enForms
  | keyof typeof enKeys
  | keyof typeof enLists
  | keyof typeof enMedia
  | keyof typeof enOperations
  | keyof typeof enPublishing
  | keyof typeof enRichText
  | keyof typeof enSettings
  | keyof typeof enWizard;
export type TextValues = Readonly<Record<string, string | number>>;

const plurals = lazily(() => new Intl.PluralRules('en'));

/**
 * The text, with its `{names}` filled in. A text with plural forms is chosen by `count`.
 * @throws Error if the screen has not imported the file of the text.
 */
export function t(key: TextKey, values: TextValues = {}): string {
  const entry = findText(key);
  if (entry === undefined) throw new Error(`the text "${key}" is not loaded: import its file in the screen`);
  const text = typeof entry === 'string' ? entry : (entry[plurals().select(Number(values.count))] ?? entry.other ?? '');
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? toNumber(value) : closeDirections(value);
  });
}
