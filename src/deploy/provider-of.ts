// Which provider a site deploys to. Pure.
import type { SiteSettings } from '../settings/settings.ts';
import type { ProviderName } from './providers/provider.ts';

/** Undefined if none is set. A deploy hook alone is enough, as the interface describes it. */
export function providerOf({ deployProvider, deployHookUrl }: SiteSettings): ProviderName | undefined {
  if (deployProvider !== '') return deployProvider;
  return deployHookUrl === '' ? undefined : 'webhook';
}
