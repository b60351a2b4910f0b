// What each setting reaches, and which stored secrets the service forgets when it changes: those that act on the address
// or the target that it names. A secret that the same change sends stays. `test/settings/reach.test.ts` holds the table
// of .github/SECURITY.md to this one. Pure.
import type { SecretKey, SettingKey } from './settings.ts';

export interface Reach {
  /** What requests go there, or what is acted on. */
  reaches: string;
  forgets: readonly SecretKey[];
}

/** A setting that no request depends on. */
const NOTHING: Reach = { reaches: '', forgets: [] };
const of = (reaches: string, ...forgets: SecretKey[]): Reach => ({ reaches, forgets });

export const REACH: Readonly<Record<SettingKey, Reach>> = {
  timezone: NOTHING,
  backupSchedule: NOTHING,
  backupRetention: NOTHING,
  // Its own key is in it, which goes with any of `TARGET_PARTS`.
  backupTarget: of('the storage that copies of backups go to, and are removed from'),
  linkCheckSchedule: NOTHING,
  previewSiteUrl: of('a browser, with the token of a preview'),
  allowPrivateTargets: of('private addresses, for all that people of the site type'),
  mcpPublic: NOTHING,
  deployProvider: of('the host that deploys go to'),
  deployHookUrl: of('the address that is called, which is itself a secret'),
  deployOnSave: NOTHING,
  deployCron: NOTHING,
  deployAppName: of('the repository that is pushed to and read', 'deployApiToken'),
  deployApiToken: of('the account at the git host'),
  deployBranch: of('the branch that is pushed to', 'deployApiToken'),
  revalidateUrl: of('the address that is sent signed changes', 'revalidateSecret'),
  revalidateSecret: of('signs what revalidateUrl is sent'),
  deployDomain: NOTHING,
  vercelToken: of('the account at Vercel'),
  vercelProject: of('the project at Vercel', 'vercelToken'),
  vercelTeamId: of('the team at Vercel', 'vercelToken'),
  netlifyToken: of('the account at Netlify'),
  netlifySiteId: of('the site at Netlify', 'netlifyToken'),
  cloudflareToken: of('the account at Cloudflare'),
  cloudflareAccountId: of('the account at Cloudflare', 'cloudflareToken'),
  cloudflareProjectName: of('the project at Cloudflare', 'cloudflareToken'),
  flyToken: of('the account at Fly, and its machines'),
  flyOrg: of('the organisation at Fly', 'flyToken', 'syncSecret'),
  flyAppName: of('the app at Fly, and the sync server there', 'flyToken', 'syncSecret'),
  flyRegion: NOTHING,
  flyVolumeName: of('the volume of the app at Fly', 'flyToken'),
  flyDomain: of('the sync server, and the certificate of the app at Fly', 'flyToken', 'syncSecret'),
  // It runs in the account, beside the organisation's other apps and with the secrets of its own.
  flyImage: of('the code that runs in the account at Fly', 'flyToken'),
  flyVmSize: NOTHING,
  syncUrl: of('the sync server', 'syncSecret'),
  syncSecret: of('signs requests to the sync server, and is set as a secret of the app at Fly'),
  githubUrl: of('the git host that is pushed to', 'deployApiToken'),
  githubApiUrl: of('the API of the git host', 'deployApiToken'),
  vercelApiUrl: of('the API of Vercel', 'vercelToken'),
  netlifyApiUrl: of('the API of Netlify', 'netlifyToken'),
  cloudflareApiUrl: of('the API of Cloudflare', 'cloudflareToken'),
  flyApiUrl: of('the API of Fly', 'flyToken', 'syncSecret'),
  // A webhook's own secret is made anew when its address changes (`patch.ts`).
  webhooks: of('the addresses that are sent signed events'),
};

/** The parts of a backup target that its key acts on. */
export const TARGET_PARTS = ['endpoint', 'region', 'bucket', 'prefix', 'accessKeyId'] as const;

export function isTargetPart(key: string): boolean {
  return (TARGET_PARTS as readonly string[]).includes(key);
}
