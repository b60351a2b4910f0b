// The texts that no log of a deploy shows: secrets of the settings, addresses that are secrets, the service's own.
import { SECRETS, type SiteSettings } from '../../settings/settings.ts';

export function secretsOf(settings: SiteSettings, own: readonly (string | undefined)[]): string[] {
  const { backupTarget, webhooks, deployHookUrl } = settings;
  return [
    ...SECRETS.map((key) => settings[key]),
    ...webhooks.map(({ secret }) => secret),
    ...[deployHookUrl, ...webhooks.map(({ url }) => url)].map(secretPart),
    backupTarget?.secretAccessKey ?? '',
    ...own.map((secret) => secret ?? ''),
  ].filter((secret) => secret !== '');
}

/** The path of such an address is all that its callers have to know; its origin is no secret. */
function secretPart(address: string): string {
  const url = URL.parse(address);
  if (!url) return '';
  const part = `${url.pathname}${url.search}`;
  return part.length > MIN_PATH ? part : '';
}

/** `/` and the like occur in every log. */
const MIN_PATH = 8;
