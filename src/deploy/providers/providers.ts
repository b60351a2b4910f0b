// The hosts by name. Each is loaded when a site first deploys to it, so that a start loads none of them.
import type { DeployProvider, ProviderName } from './provider.ts';

export type FindProvider = (name: ProviderName) => Promise<DeployProvider>;

const LOADERS: Record<ProviderName, () => Promise<DeployProvider>> = {
  'cloudflare-pages': async () => (await import('./cloudflare-pages.ts')).createCloudflarePages(),
  fly: async () => (await import('./fly.ts')).createFly(),
  'fly-live': async () => (await import('./fly-live.ts')).createFlyLive(),
  'github-pages': async () => (await import('./github-pages.ts')).createGithubPages(),
  netlify: async () => (await import('./netlify.ts')).createNetlify(),
  vercel: async () => (await import('./vercel.ts')).createVercel(),
  webhook: async () => (await import('./webhook.ts')).createWebhook(),
};

export const findProvider: FindProvider = (name) => LOADERS[name]();
