// The hosts by name. Each is loaded when a site first deploys to it, so that a start loads none of them.
import { ServiceError } from '../../lib/errors.ts';
import type { DeployProvider, ProviderName } from './provider.ts';

export type FindProvider = (name: ProviderName) => Promise<DeployProvider>;

const LOADERS: Partial<Record<ProviderName, () => Promise<DeployProvider>>> = {
  'cloudflare-pages': async () => (await import('./cloudflare-pages.ts')).createCloudflarePages(),
  netlify: async () => (await import('./netlify.ts')).createNetlify(),
  vercel: async () => (await import('./vercel.ts')).createVercel(),
  webhook: async () => (await import('./webhook.ts')).createWebhook(),
};

/** @throws unavailable for a host that this version does not deploy to yet. */
export const findProvider: FindProvider = async (name) => {
  const load = LOADERS[name];
  if (!load) throw new ServiceError('unavailable', `this version does not deploy to "${name}"`);
  return load();
};
