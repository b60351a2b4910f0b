// The administrators of a site may put another address into the place of a provider's own. The words of such an address
// are never shown, so that no request of the service reads a page for the person who chose it.
import { SiteSettings } from '../../settings/settings.ts';
import { toShown } from './host-answer.ts';

/** A setting with the address of a provider. */
export type AddressSetting =
  | 'githubUrl'
  | 'githubApiUrl'
  | 'vercelApiUrl'
  | 'netlifyApiUrl'
  | 'cloudflareApiUrl'
  | 'flyApiUrl';

const DEFAULTS = SiteSettings.parse({});

export function isOwnAddress(setting: AddressSetting, address: string): boolean {
  return address === DEFAULTS[setting];
}

/** A host's words in parentheses, after a space; empty if it says nothing, or if it is not the provider itself. */
export function inParentheses(
  { settings }: { settings: Pick<SiteSettings, AddressSetting> },
  setting: AddressSetting,
  words: string | null | undefined,
): string {
  return words && isOwnAddress(setting, settings[setting]) ? ` (${toShown(words, [])})` : '';
}
