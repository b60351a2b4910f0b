// What people read about each setting, and in which order: the shape from which forms are made (shape.ts). Values and
// their schemas are in settings.ts.
import type { BackupTarget, SettingKey } from './settings.ts';

export interface Described {
  title: string;
  description?: string;
  /** What the value is, beyond its type in the schema. */
  format?: 'time-zone' | 'cron' | 'uri';
  /** Names of the values of an enumeration, or of a switch that may be unset, in order. */
  names?: Readonly<Record<string, string>>;
  /** What a number counts. */
  unit?: string;
  /** The service can make the secret itself: `{generate: true}`. */
  canBeMade?: true;
  /** A read shows only the origin of the address, because its path is a secret. */
  isMasked?: true;
}

export const PROVIDER_NAMES = {
  '': 'None',
  'github-pages': 'GitHub Pages',
  vercel: 'Vercel',
  netlify: 'Netlify',
  fly: 'Fly.io',
  'cloudflare-pages': 'Cloudflare Pages',
  'fly-live': 'Fly.io, with the sync server',
  webhook: 'Deploy hook',
} as const;

const SCHEDULE = 'A cron expression in the time zone of the site, such as 0 3 * * * for every night.';

export const DESCRIBED: Readonly<Record<Exclude<SettingKey, 'webhooks'>, Described>> = {
  timezone: {
    title: 'Time zone',
    description: 'Schedules and dates of publication are in this time zone.',
    format: 'time-zone',
  },
  previewSiteUrl: {
    title: 'Preview address',
    description:
      'The address at which the frontend shows previews. {collection}, {slug}, {locale} and {token} are filled in; without any the path of the page is added. Scripts of its origin may read previews and post forms.',
    format: 'uri',
  },
  mcpPublic: {
    title: 'Public MCP address',
    description: 'Which published documents agents without a token may read.',
    names: { '': 'What the site shows strangers', true: 'Everything that is published', false: 'Nothing' },
  },
  allowPrivateTargets: {
    title: 'Allow private addresses',
    description: 'Webhooks, deploy hooks, form webhooks and the link check may reach addresses in private networks.',
  },

  backupSchedule: { title: 'Backup schedule', description: SCHEDULE, format: 'cron' },
  backupRetention: {
    title: 'Backups to keep',
    description: 'When there are more, the oldest is removed.',
    unit: 'backups',
  },
  backupTarget: {
    title: 'Copy backups elsewhere',
    description: 'Each backup is also copied to storage that speaks the protocol of Amazon S3.',
  },
  linkCheckSchedule: { title: 'Link check schedule', description: SCHEDULE, format: 'cron' },

  deployProvider: {
    title: 'Provider',
    description: 'Which host the button Deploy sends the site to.',
    names: PROVIDER_NAMES,
  },
  deployOnSave: { title: 'Deploy on save', description: 'Each change of something published deploys the site.' },
  deployCron: { title: 'Deploy schedule', description: SCHEDULE, format: 'cron' },
  deployHookUrl: {
    title: 'Deploy hook address',
    description: 'A POST to this address makes the host build the site.',
    format: 'uri',
    isMasked: true,
  },
  deployAppName: {
    title: 'Repository',
    description: 'owner/name of the repository that is pushed to, and whose workflow runs are shown.',
  },
  deployApiToken: { title: 'GitHub token', description: 'May read workflow runs, and push to the repository.' },
  deployBranch: { title: 'Branch', description: 'The branch that GitHub Pages shows.' },
  deployDomain: { title: 'Custom domain', description: 'Written into the file CNAME.' },
  githubUrl: { title: 'GitHub address', format: 'uri' },
  githubApiUrl: { title: 'GitHub API address', format: 'uri' },

  revalidateUrl: {
    title: 'Revalidation address',
    description:
      'The frontend is sent each change of something published here, and shows it without a deploy. A deploy follows only if that fails.',
    format: 'uri',
  },
  revalidateSecret: {
    title: 'Revalidation secret',
    description: 'Signs what is sent, so that the frontend knows who sent it.',
    canBeMade: true,
  },

  vercelToken: { title: 'Vercel token' },
  vercelProject: { title: 'Vercel project', description: 'Empty: the id of the site.' },
  vercelTeamId: { title: 'Vercel team', description: 'Its id. Empty: the token’s own account.' },
  vercelApiUrl: { title: 'Vercel API address', format: 'uri' },
  netlifyToken: { title: 'Netlify token' },
  netlifySiteId: { title: 'Netlify site', description: 'Its id. Empty: the site with this site’s id as its name.' },
  netlifyApiUrl: { title: 'Netlify API address', format: 'uri' },
  cloudflareToken: { title: 'Cloudflare token' },
  cloudflareAccountId: { title: 'Cloudflare account', description: 'Its id.' },
  cloudflareProjectName: { title: 'Cloudflare project', description: 'Empty: the id of the site.' },
  cloudflareApiUrl: { title: 'Cloudflare API address', format: 'uri' },
  flyToken: { title: 'Fly.io token' },
  flyOrg: { title: 'Fly.io organisation', description: 'Empty: that of the token.' },
  flyAppName: { title: 'Fly.io app', description: 'Empty: made from the id of the site.' },
  flyRegion: { title: 'Fly.io region', description: 'Three letters, such as arn for Stockholm.' },
  flyVolumeName: { title: 'Fly.io volume', description: 'The disk that keeps the deploys.' },
  flyDomain: { title: 'Fly.io domain', description: 'A host name of one’s own. Empty: that of the app.' },
  flyImage: { title: 'Fly.io image', description: 'The container that the machines run. Empty: the sync server.' },
  flyVmSize: { title: 'Fly.io machine size' },
  flyApiUrl: { title: 'Fly.io API address', format: 'uri' },
  syncUrl: { title: 'Sync server address', description: 'Empty: that of the app.', format: 'uri' },
  syncSecret: {
    title: 'Sync server secret',
    description: 'Signs each request to the sync server, which has the same one.',
    canBeMade: true,
  },
};

export const DESCRIBED_TARGET: Readonly<Record<keyof BackupTarget, Described>> = {
  endpoint: { title: 'Storage address', description: 'Without the name of the bucket.', format: 'uri' },
  region: { title: 'Storage region' },
  bucket: { title: 'Bucket' },
  prefix: { title: 'Folder in the bucket', description: 'Empty: none.' },
  accessKeyId: { title: 'Access key' },
  secretAccessKey: { title: 'Secret key' },
};

export interface SettingsGroup {
  title?: string;
  /** The providers that read these settings; undefined for all. */
  providers?: readonly (keyof typeof PROVIDER_NAMES)[];
  settings: readonly Exclude<SettingKey, 'webhooks'>[];
}

export interface SettingsSection {
  name: string;
  title: string;
  groups: readonly SettingsGroup[];
}

/** Each setting but `webhooks` once. */
export const SECTIONS: readonly SettingsSection[] = [
  {
    name: 'general',
    title: 'General',
    groups: [{ settings: ['timezone', 'previewSiteUrl', 'mcpPublic', 'allowPrivateTargets'] }],
  },
  {
    name: 'deploy',
    title: 'Deploy',
    groups: [
      { settings: ['deployProvider', 'deployOnSave', 'deployCron'] },
      { title: 'Deploy hook', providers: ['webhook'], settings: ['deployHookUrl'] },
      {
        title: 'GitHub',
        providers: ['github-pages'],
        settings: ['deployAppName', 'deployApiToken', 'deployBranch', 'deployDomain', 'githubUrl', 'githubApiUrl'],
      },
      {
        title: 'Vercel',
        providers: ['vercel'],
        settings: ['vercelToken', 'vercelProject', 'vercelTeamId', 'vercelApiUrl'],
      },
      { title: 'Netlify', providers: ['netlify'], settings: ['netlifyToken', 'netlifySiteId', 'netlifyApiUrl'] },
      {
        title: 'Cloudflare Pages',
        providers: ['cloudflare-pages'],
        settings: ['cloudflareToken', 'cloudflareAccountId', 'cloudflareProjectName', 'cloudflareApiUrl'],
      },
      {
        title: 'Fly.io',
        providers: ['fly', 'fly-live'],
        settings: [
          ...(['flyToken', 'flyOrg', 'flyAppName', 'flyRegion', 'flyVmSize', 'flyVolumeName', 'flyDomain'] as const),
          ...(['flyImage', 'flyApiUrl'] as const),
        ],
      },
      { title: 'Sync server', providers: ['fly', 'fly-live'], settings: ['syncUrl', 'syncSecret'] },
    ],
  },
  {
    name: 'revalidation',
    title: 'Revalidation',
    groups: [{ settings: ['revalidateUrl', 'revalidateSecret'] }],
  },
  {
    name: 'backups',
    title: 'Backups',
    groups: [{ settings: ['backupSchedule', 'backupRetention', 'backupTarget'] }],
  },
  { name: 'links', title: 'Link check', groups: [{ settings: ['linkCheckSchedule'] }] },
];
