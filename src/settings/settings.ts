// The settings of a site: every key with its allowed values and its default. Types and schemas only; service.ts stores
// settings and notifies listeners, routes.ts says who may change them.
import { z } from 'zod';
import type { AuditActor } from '../audit/entry.ts';
import { cronProblem, isTimeZone } from '../lib/time/cron.ts';
import type { WebhookEventName } from '../webhooks/events.ts';

const DEPLOY_PROVIDERS = [
  '',
  'github-pages',
  'vercel',
  'netlify',
  'fly',
  'cloudflare-pages',
  'fly-live',
  'webhook',
] as const;

/** The sizes of machines that the wizard and the settings offer. */
export const FLY_VM_SIZES = ['shared-cpu-1x', 'shared-cpu-2x', 'dedicated-1x'] as const;

/** Events that a webhook can receive. A record, so that the compiler reports an event that is missing here. */
const EVENTS: Record<WebhookEventName | '*', true> = {
  '*': true,
  'content.created': true,
  'content.updated': true,
  'content.renamed': true,
  'content.published': true,
  'content.unpublished': true,
  'content.archived': true,
  'content.deleted': true,
  'content.restored': true,
  'form.submitted': true,
  'media.uploaded': true,
  'media.deleted': true,
  'deploy.started': true,
  'deploy.success': true,
  'deploy.failure': true,
  'backup.completed': true,
  'backup.failed': true,
  'agent.completed': true,
  'agent.failed': true,
};
export const WEBHOOK_EVENTS = Object.keys(EVENTS) as (WebhookEventName | '*')[];

export const MAX_WEBHOOKS = 50;

const Cron = z
  .string()
  .trim()
  .max(100, { abort: true })
  .superRefine((expression, check) => {
    const problem = cronProblem(expression);
    if (problem) check.addIssue({ code: 'custom', message: problem });
  });

const Timezone = z
  .string()
  .trim()
  .max(100, { abort: true })
  .refine(isTimeZone, 'must be an IANA time zone such as Europe/Copenhagen');

/** Stored as it was typed. */
const Url = z
  .string()
  .trim()
  .max(2048, { abort: true })
  .refine(isHttpUrl, 'must be an http or https URL without spaces')
  .refine(hasNoCredentials, 'must not contain a user name or a password');

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text);
}

function hasNoCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '');
}

/** A URL to which paths are appended. */
/** With placeholders below its origin, or without any: then the path of the document's page is added to it. */
const PreviewUrl = Url.refine(
  (text) => !/[{}]/.test(URL.parse(text)?.host ?? ''),
  'must not have placeholders before its path',
).refine(
  (text) => !/[{}]/.test(text.replace(/\{(?:collection|slug|locale|token)\}/g, '')),
  'takes the placeholders {collection}, {slug}, {locale} and {token}, and no others',
);

const BaseUrl = Url.refine((text) => !/[?#]/.test(text), 'must not have a query or a fragment').transform((text) =>
  text.replace(/\/+$/, ''),
);

/** A provider's name for a thing: it becomes part of paths and headers. */
const Identifier = z
  .string()
  .trim()
  .max(200, { abort: true })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, ".", "_" and "-"');

const Repository = z
  .string()
  .trim()
  .max(200, { abort: true })
  .regex(/^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)?$/, 'must be a name, or owner/name')
  .refine((name) => !name.split('/').some((part) => /^\.+$/.test(part)), 'must be a name, or owner/name');

const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, { abort: true })
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, 'must be a host name such as www.example.com');

/** A container image, by tag or digest: `registry/name:tag`, `name@sha256:...`. */
const Image = z
  .string()
  .trim()
  .max(400, { abort: true })
  .regex(/^[a-z0-9][a-z0-9._:/-]*(:[A-Za-z0-9._-]+)?(@sha256:[0-9a-f]{64})?$/, 'must be a container image');

/** Names that git-check-ref-format(1) allows and that need no escaping. */
const Branch = z
  .string()
  .trim()
  .max(200, { abort: true })
  .regex(/^[A-Za-z0-9_][A-Za-z0-9._/-]*$/, 'must be the name of a git branch')
  .refine((name) => !/\.\.|\/\/|[/.]$|\.lock(\/|$)|\/\./.test(name), 'must be the name of a git branch');

/** Sent in a header. */
const Token = z
  .string()
  .trim()
  .min(1)
  .max(4096, { abort: true })
  .regex(/^[\x21-\x7e]*$/, 'must be visible ASCII characters without spaces');

/** A key for signatures: any text. */
const SigningSecret = z
  .string()
  .min(1)
  .max(1024, { abort: true })
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not contain control characters');

/** Receivers that implement Standard Webhooks decode the text after this prefix. */
function isDecodable(secret: string): boolean {
  return !secret.startsWith('whsec_') || /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret);
}

const WebhookId = z
  .string()
  .max(64, { abort: true })
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'must be letters, digits, "_" and "-"');

export const Webhook = z.object({
  id: WebhookId,
  url: Url,
  /** Empty after a restore on another machine, because backups have no secrets: then nothing can be signed. */
  secret: SigningSecret.refine(isDecodable, 'must be base64 after "whsec_"').or(z.literal('')),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .max(100)
    .transform((events) => [...new Set(events)]),
});
export type Webhook = z.output<typeof Webhook>;

/** An S3-compatible target for copies of backups. */
export const BackupTarget = z.object({
  endpoint: BaseUrl,
  region: z
    .string()
    .trim()
    .max(64, { abort: true })
    .regex(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and "-"')
    .default('us-east-1'),
  bucket: z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
  /** Prefix of every key; empty, or without a slash at its ends. */
  prefix: z
    .string()
    .trim()
    .max(200, { abort: true })
    .transform((prefix) => prefix.replace(/^\/+|\/+$/g, ''))
    .refine((prefix) => /^[A-Za-z0-9!_.*'()/-]*$/.test(prefix), 'must be letters, digits, "-", "_", "." and "/"')
    .refine((prefix) => !/(^|\/)\.{0,2}(\/|$)/.test(prefix) || prefix === '', 'must not have empty, "." or ".." parts')
    .default(''),
  accessKeyId: Token,
  /** Empty after a restore on another machine. */
  secretAccessKey: Token.or(z.literal('')),
});
export type BackupTarget = z.output<typeof BackupTarget>;

/**
 * A site's settings, complete with defaults. An empty string means not set. The values of {@link SECRETS} are never
 * answered, logged, audited or backed up.
 */
export const SiteSettings = z.object({
  /** IANA name; schedules are in this time zone. */
  timezone: Timezone.default('UTC'),
  backupSchedule: Cron.default(''),
  /** How many complete backups are kept. */
  backupRetention: z.int().min(1).max(1000).default(30),
  backupTarget: BackupTarget.nullable().default(null),
  linkCheckSchedule: Cron.default(''),
  /**
   * The address at which the frontend shows previews. Scripts on pages of its origin may read previews, post forms and read the answers.
   */
  previewSiteUrl: PreviewUrl.default(''),
  /** Webhooks, revalidation, deploy hooks, form webhooks and the link check may reach private addresses. */
  allowPrivateTargets: z.boolean().default(false),
  /** What strangers read over MCP: null is what they read over REST, true everything published, false nothing. */
  mcpPublic: z.boolean().nullable().default(null),

  deployProvider: z.enum(DEPLOY_PROVIDERS).default(''),
  deployHookUrl: Url.default(''),
  deployOnSave: z.boolean().default(false),
  deployCron: Cron.default(''),
  /** `owner/name` of the repository whose workflow runs are shown. */
  deployAppName: Repository.default(''),
  deployApiToken: Token.default(''),
  deployBranch: Branch.default('gh-pages'),
  revalidateUrl: Url.default(''),
  revalidateSecret: SigningSecret.default(''),

  /** Host name that a `CNAME` file gives to GitHub Pages. */
  deployDomain: Domain.default(''),

  vercelToken: Token.default(''),
  /** The site's id if empty. */
  vercelProject: Identifier.default(''),
  vercelTeamId: Identifier.default(''),
  netlifyToken: Token.default(''),
  netlifySiteId: Identifier.default(''),
  cloudflareToken: Token.default(''),
  cloudflareAccountId: Identifier.default(''),
  cloudflareProjectName: Identifier.default(''),
  flyToken: Token.default(''),
  flyOrg: Identifier.default(''),
  flyAppName: Identifier.default(''),
  flyRegion: z
    .string()
    .trim()
    .regex(/^[a-z]{3}$/, 'must be the three letters of a region')
    .default('arn'),
  flyVolumeName: z
    .string()
    .trim()
    .regex(/^[a-z0-9_]{1,30}$/, 'must be at most 30 lower-case letters, digits and "_"')
    .default('site_data'),
  flyDomain: Domain.default(''),
  /** Image of the machines of the provider `fly`; without one they run the sync server. */
  flyImage: Image.default(''),
  flyVmSize: z.enum(FLY_VM_SIZES).default('shared-cpu-1x'),
  syncUrl: BaseUrl.default(''),
  syncSecret: SigningSecret.default(''),

  githubUrl: BaseUrl.default('https://github.com'),
  githubApiUrl: BaseUrl.default('https://api.github.com'),
  vercelApiUrl: BaseUrl.default('https://api.vercel.com'),
  netlifyApiUrl: BaseUrl.default('https://api.netlify.com/api/v1'),
  cloudflareApiUrl: BaseUrl.default('https://api.cloudflare.com/client/v4'),
  /** Address of the machines API. */
  flyApiUrl: BaseUrl.default('https://api.machines.dev/v1'),

  webhooks: z
    .array(Webhook)
    .max(MAX_WEBHOOKS)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'must not have an id twice')
    .default([]),
});
export type SiteSettings = z.output<typeof SiteSettings>;
export type SettingKey = keyof SiteSettings;

/** Top-level secrets. `backupTarget.secretAccessKey` and each webhook's `secret` are secrets too. */
export const SECRETS = [
  'deployApiToken',
  'revalidateSecret',
  'vercelToken',
  'netlifyToken',
  'cloudflareToken',
  'flyToken',
  'syncSecret',
] as const satisfies readonly SettingKey[];
export type SecretKey = (typeof SECRETS)[number];

export const SETTING_KEYS = Object.keys(SiteSettings.shape) as SettingKey[];

export function isSecretKey(key: string): key is SecretKey {
  return (SECRETS as readonly string[]).includes(key);
}

export interface Settings {
  /** Includes secrets: never answer it as it is. Returns the same object until something changes. */
  read(): SiteSettings;
  /** Changes whenever a setting or a secret changes. */
  revision(): string;
  /** Settings that cannot be changed on this site, with the reason. */
  fixed(): Partial<Record<SettingKey, string>>;
  /**
   * Changes the keys that `patch` names; `patch.ts` says how. Durable, with its audit entry, once it resolves. @throws
   * 400 with a detail for each wrong key; then nothing changes.
   */
  update(patch: unknown, by: AuditActor, options?: { ifRevision?: string | undefined }): Promise<UpdatedSettings>;
  /**
   * Notifies the listener after each change, in order. A change is answered once all listeners are done, so that its
   * effects have begun; an error of a listener is only logged.
   */
  subscribe(listener: SettingsListener): () => void;
  /** A secret that the service itself uses for this site, such as `calendar`: made once, 64 hex digits. */
  secret(name: string): Promise<string>;
  /** Replaces such a secret. */
  rotate(name: string): Promise<string>;
  /** Reads `_data/site-config.json` again, after a restore has replaced it. */
  reload(): Promise<void>;
}

export type SettingsListener = (after: SiteSettings, before: SiteSettings) => void | Promise<void>;

export interface UpdatedSettings {
  settings: SiteSettings;
  /** Secrets that were made on request, by dotted path; readable only here. */
  generated: Record<string, string>;
  /** Stored secrets that are gone, by dotted path, with the settings whose change it was. */
  forgotten: Record<string, string[]>;
}
