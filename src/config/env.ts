// The environment, parsed once at start: nothing else reads process.env. An empty variable counts as absent, since that
// is how containers and .env files leave one out. Messages repeat no value that may be a secret.
import { delimiter, dirname, isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import type { Role } from '../access/principal.ts';
import type { Problem } from '../lib/errors.ts';
import { Issuer, type OidcEnv, oidcProblems, RoleList, RoleRules, toOidcEnv } from './oidc-env.ts';
import { notThis } from './quote.ts';

const SECRET_MIN_LENGTH = 32;

const Secret = z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'expected printable ASCII characters');
const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
  .transform((url) => url.replace(/\/+$/, ''));

function wholeNumber(max: number) {
  const message = `expected a whole number from 0 to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, message)
    .transform(Number)
    .refine((value) => value <= max, message);
}

/** As PATH has them. */
const FolderList = z
  .string()
  .transform((list) => list.split(delimiter).filter((folder) => folder !== ''))
  .refine((folders) => folders.every((folder) => isAbsolute(folder) && resolve(folder) !== '/'), {
    error: `expected absolute folders with ${delimiter} between them`,
  })
  .transform((folders) => folders.map((folder) => resolve(folder)));

const UNITS: Record<string, number> = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9 };

const Size = z
  .string()
  .regex(/^[0-9]{1,15}(?: ?[KMG]B)?$/i, 'expected bytes, or a number with KB, MB or GB')
  .transform((text) => {
    const [, digits, unit = ''] = /^([0-9]+) ?([KMG]B)?$/i.exec(text) ?? [];
    return Number(digits) * (UNITS[unit.toUpperCase()] ?? 1);
  })
  .refine((bytes) => Number.isSafeInteger(bytes), 'expected bytes, or a number with KB, MB or GB');

/** One line for each variable: its name, its allowed values, its default. */
export const Environment = z.object({
  NODE_ENV: z.string().optional(),
  PATH: z.string().optional(),
  PORT: wholeNumber(65_535).default(3010),
  HOST: z.string().default('127.0.0.1'),
  CMS_DATA_DIR: z.string().default('.data'),
  CMS_CONFIG_PATH: z.string().default('content/cms.config.ts'),
  CMS_JWT_SECRET: Secret.optional(),
  CMS_SERVICE_SECRET: Secret.optional(),
  DEPLOY_NOTIFY_SECRET: Secret.optional(),
  CMS_PUBLIC_URL: HttpUrl.optional(),
  CMS_ADMIN_URL: HttpUrl.optional(),
  CMS_TRUST_PROXY: wholeNumber(100).default(0),
  CMS_EMAIL_FROM: z
    .string()
    .regex(/^(?:[^\s@<>]+@[^\s@<>]+|[^\r\n<>]+ <[^\s@<>]+@[^\s@<>]+>)$/, 'expected an address, or a name and <address>')
    .optional(),
  RESEND_API_KEY: Secret.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'expected an smtp or smtps URL' }).optional(),
  ANTHROPIC_API_KEY: Secret.optional(),
  OPENAI_API_KEY: Secret.optional(),
  OPENAI_BASE_URL: HttpUrl.optional(),
  GITHUB_TOKEN: Secret.optional(),
  CMS_SCHEDULER: z.enum(['on', 'off'], 'expected on or off').default('on'),
  CMS_SETUP_TOKEN: Secret.optional(),
  CMS_SITES_DIR: z.string().optional(),
  CMS_PROVISION_IMAGE: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._:/-]*(:[A-Za-z0-9._-]+)?(@sha256:[0-9a-f]{64})?$/, 'expected a container image')
    .optional(),
  CMS_BUILDS: z.enum(['sandboxed', 'unconfined'], 'expected sandboxed or unconfined').default('sandboxed'),
  CMS_BUILD_NETWORK: z.enum(['on', 'off'], 'expected on or off').default('on'),
  CMS_BUILD_PATHS: FolderList.optional(),
  FLY_API_URL: HttpUrl.default('https://api.machines.dev/v1'),
  CMS_ALLOW_PRIVATE_TARGETS: z.enum(['on', 'off'], 'expected on or off').default('off'),
  CMS_RATE_LIMIT: wholeNumber(10_000_000).default(6_000),
  CMS_SITE_QUOTA: z.union([z.literal('off').transform(() => undefined), Size]).optional(),
  CMS_REQUIRE_CODES: RoleList.optional(),
  CMS_OIDC_ISSUER: Issuer.optional(),
  CMS_OIDC_CLIENT_ID: z.string().optional(),
  CMS_OIDC_CLIENT_SECRET: Secret.optional(),
  CMS_OIDC_ROLES: RoleRules.optional(),
  CMS_OIDC_ROLES_CLAIM: z.string().default('groups'),
  CMS_OIDC_SCOPES: z
    .string()
    .regex(/^openid(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'expected scopes with spaces between them, openid first')
    .default('openid email profile'),
  CMS_OIDC_NAME: z.string().max(100).default('Single sign-on'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'expected trace, debug, info, warn, error, fatal or silent',
    })
    .default('info'),
  LOG_FORMAT: z.enum(['json', 'text'], 'expected json or text').optional(),
});

export interface Env {
  /** The PATH in which the service looks for programs (git). */
  readonly path?: string;
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Absolute. */
  readonly configPath: string;
  readonly jwtSecret?: string;
  readonly serviceSecret?: string;
  readonly deployNotifySecret?: string;
  /** Without a trailing slash, like every address here. */
  readonly publicUrl?: string;
  readonly adminUrl?: string;
  /** The number of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: number;
  readonly emailFrom?: string;
  readonly resendApiKey?: string;
  readonly smtpUrl?: string;
  readonly anthropicApiKey?: string;
  readonly openaiApiKey?: string;
  readonly openaiBaseUrl?: string;
  readonly githubToken?: string;
  readonly scheduler: boolean;
  /** The token that set-up asks for; made at the start if absent and strangers can reach the service. */
  readonly setupToken?: string;
  /** The address at which the wizard makes machines; no setting of a site names it. */
  readonly flyApiUrl: string;
  /** What the machines run that the wizard makes. */
  readonly provisionImage?: string;
  /** Configurations of sites that are added over HTTP must be below this folder; absolute. */
  readonly sitesDir: string;
  /** True if build commands may run without a sandbox, where the machine has none, for the operator's own sites. */
  readonly unconfinedBuilds: boolean;
  /** True if build commands have a network. */
  readonly buildNetwork: boolean;
  /** Folders that build commands may read besides the system's; absolute. */
  readonly buildPaths: readonly string[];
  /** True if any site may set `allowPrivateTargets`. */
  readonly allowPrivateTargets: boolean;
  /** Requests a minute from an anonymous address; 0 means no limit. */
  readonly rateLimit: number;
  /** The most bytes that a site may have on the disk; absent for any. */
  readonly siteQuota?: number;
  /** Roles that require one-time codes. */
  readonly requireCodes: readonly Role[];
  /** Sign-in through an OpenID provider. */
  readonly oidc?: OidcEnv;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Absent: lines for people on a terminal, JSON otherwise. */
  readonly logFormat?: 'json' | 'text';
  readonly production: boolean;
}

/** An environment the service cannot start with; `path` of each problem is the variable's name. */
export class EnvError extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(`invalid environment\n${problems.map(({ path, message }) => `  ${path}: ${message}`).join('\n')}`);
    this.name = 'EnvError';
    this.problems = problems;
  }
}

/** Parses the environment. Throws EnvError with every problem. Relative paths start from the working directory. */
export function parseEnv(variables: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Environment.safeParse(given);
  const problems: Problem[] = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => {
        const name = path.map(String).join('.');
        return { path: name, message: message + notThis(given[name], name) };
      });
  problems.push(...oidcProblems(given));
  const production = given.NODE_ENV === 'production';
  const secret = given.CMS_JWT_SECRET;
  if (production && secret !== undefined && secret.length < SECRET_MIN_LENGTH) {
    problems.push({
      path: 'CMS_JWT_SECRET',
      message: `expected at least ${SECRET_MIN_LENGTH} characters in production`,
    });
  }
  if (parsed.success) problems.push(...buildPathProblems(parsed.data));
  if (!parsed.success || problems.length > 0) throw new EnvError(problems);
  return toEnv(parsed.data, production);
}

/** A folder around the data folder is allowed: builds see an empty one in its place. */
function buildPathProblems({ CMS_BUILD_PATHS = [], CMS_DATA_DIR }: z.output<typeof Environment>): Problem[] {
  const data = resolve(CMS_DATA_DIR);
  if (!CMS_BUILD_PATHS.some((folder) => `${folder}/`.startsWith(`${data}/`))) return [];
  return [{ path: 'CMS_BUILD_PATHS', message: 'expected folders outside of the data folder' }];
}

function toEnv(values: z.output<typeof Environment>, production: boolean): Env {
  const oidc = toOidcEnv(values);
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.CMS_DATA_DIR),
    configPath: resolve(values.CMS_CONFIG_PATH),
    trustProxy: values.CMS_TRUST_PROXY,
    scheduler: values.CMS_SCHEDULER === 'on',
    sitesDir: values.CMS_SITES_DIR ? resolve(values.CMS_SITES_DIR) : dirname(resolve(values.CMS_CONFIG_PATH)),
    unconfinedBuilds: values.CMS_BUILDS === 'unconfined',
    buildNetwork: values.CMS_BUILD_NETWORK === 'on',
    buildPaths: values.CMS_BUILD_PATHS ?? [],
    allowPrivateTargets: values.CMS_ALLOW_PRIVATE_TARGETS === 'on',
    flyApiUrl: values.FLY_API_URL,
    rateLimit: values.CMS_RATE_LIMIT,
    requireCodes: values.CMS_REQUIRE_CODES ?? [],
    logLevel: values.LOG_LEVEL,
    production,
    ...(oidc ? { oidc } : {}),
    ...present({
      path: values.PATH,
      jwtSecret: values.CMS_JWT_SECRET,
      serviceSecret: values.CMS_SERVICE_SECRET,
      deployNotifySecret: values.DEPLOY_NOTIFY_SECRET,
      publicUrl: values.CMS_PUBLIC_URL,
      adminUrl: values.CMS_ADMIN_URL,
      emailFrom: values.CMS_EMAIL_FROM,
      resendApiKey: values.RESEND_API_KEY,
      smtpUrl: values.SMTP_URL,
      anthropicApiKey: values.ANTHROPIC_API_KEY,
      openaiApiKey: values.OPENAI_API_KEY,
      openaiBaseUrl: values.OPENAI_BASE_URL,
      githubToken: values.GITHUB_TOKEN,
      setupToken: values.CMS_SETUP_TOKEN,
      provisionImage: values.CMS_PROVISION_IMAGE,
      siteQuota: values.CMS_SITE_QUOTA,
      logFormat: values.LOG_FORMAT,
    }),
  });
}

/** Drops the keys that are undefined. */
function present<T extends Record<string, string | number | undefined>>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
