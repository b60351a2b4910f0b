// Puts together users, sessions, tokens and sites of one data folder. The command line uses the same object without the
// routes; code that has it may do everything.

import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { customAlphabet } from 'nanoid';
import type { z } from 'zod';
import type { Audit } from '../audit/entry.ts';
import type { OidcEnv } from '../config/oidc-env.ts';
import type { InfoLogger } from '../data/info-logger.ts';
import { openPrivateFile, type PrivateFile } from '../data/private-file.ts';
import type { Problem } from '../lib/errors.ts';
import { createNews } from '../lib/queues/news.ts';
import { type ElapsedMs, elapsedBy } from '../lib/time/elapsed.ts';
import type { Mailer } from '../outbound/mailer.ts';
import { type AuditAllowance, createAuditAllowance } from './audit-allowance.ts';
import { type Audited, type AuditedChange, type AuditedFile, auditFile } from './audited-file.ts';
import { createOneTimeCodes, type OneTimeCodes } from './codes/service.ts';
import { deriveKey } from './keys.ts';
import { createLinkMakers, type LinkMakers } from './link-makers.ts';
import { createAllowance } from './links/allowance.ts';
import { createMailedLinks, type MailedLinks } from './links/mailed-links.ts';
import { createPost, type Post } from './links/post.ts';
import { createOpenId, type OpenId } from './oidc/open-id.ts';
import type { ProviderOptions } from './oidc/provider.ts';
import { findOutsider } from './outsider.ts';
import { createOversight, type Oversight } from './oversight.ts';
import { createPasswords, type Passwords } from './passwords/passwords.ts';
import type { Role, SiteRef } from './principal.ts';
import { getSecret } from './secret.ts';
import { type Authentication, createAuthentication } from './sessions/authenticate.ts';
import { createDevices, type Devices } from './sessions/devices.ts';
import { createHttpsHint } from './sessions/https-hint.ts';
import { type AccessRequest, toOrigin } from './sessions/origin.ts';
import { SessionsFile } from './sessions/session.ts';
import { createSessions, type Sessions } from './sessions/sessions.ts';
import { createSetupGate, type SetupGate } from './sessions/setup-gate.ts';
import { createSignIn, type SignIn } from './sessions/sign-in.ts';
import { createThrottle } from './sessions/throttle.ts';
import { type AddSite, createAddSite } from './sites/add-site.ts';
import { createSites, reportSites, type SiteEntry, type Sites, SitesFile } from './sites/sites.ts';
import { reportTokens, TokensFile } from './tokens/token.ts';
import { createTokens, type Tokens } from './tokens/tokens.ts';
import { reportUsers } from './users/account-changes.ts';
import { createProfiles, type Profiles } from './users/profile.ts';
import { createRanks } from './users/ranks.ts';
import { createTeam, type Team } from './users/team.ts';
import { UsersFile } from './users/user.ts';
import { type UserNews, withUserNews } from './users/user-news.ts';
import { createUsers, type Users } from './users/users.ts';

export interface AccessOptions {
  dataDir: string;
  /** `CMS_JWT_SECRET`; without it a secret is generated and kept in the data folder. */
  jwtSecret?: string | undefined;
  /** `CMS_SERVICE_SECRET`; without it the service token is the JWT secret. */
  serviceSecret?: string | undefined;
  /** `CMS_SETUP_TOKEN`. */
  setupToken?: string | undefined;
  /** True if the service listens on more than loopback. */
  isExposed?: boolean;
  /** `CMS_PUBLIC_URL`. */
  publicUrl?: string | undefined;
  /** Undefined if mail is not set up. */
  mailer?: Mailer | undefined;
  /** `CMS_REQUIRE_CODES`. */
  requireCodes?: readonly Role[];
  /** With the way out to the provider. */
  oidc?: (OidcEnv & Pick<ProviderOptions, 'fetch'>) | undefined;
  /** The site of `CMS_CONFIG_PATH`. */
  defaultSite: Pick<SiteEntry, 'id' | 'org' | 'configPath'> | null;
  /** `CMS_SITES_DIR`; without it no site can be added over HTTP. */
  sitesDir?: string | undefined;
  /** Returns a reason if another process has taken over the data folder; private files are then no longer written. */
  lockLost?: (() => string | undefined) | undefined;
  /** Records changes of users, tokens and sites; without it nothing is recorded. */
  audit?: Audit | undefined;
  checkConfig: (path: string) => Promise<Problem[]>;
  now: () => Date;
  /** Derived from `now` if absent. */
  elapsedMs?: ElapsedMs;
  logger: InfoLogger;
  passwords?: Passwords;
  newId?: () => string;
}

export interface Access extends Authentication, AuditAllowance {
  users: Users;
  sessions: Sessions;
  tokens: Tokens;
  sites: Sites;
  team: Team;
  oversight: Oversight;
  linkMakers: LinkMakers;
  profiles: Profiles;
  signIn: SignIn;
  codes: OneTimeCodes;
  links: MailedLinks;
  post: Post;
  /** Undefined if no provider is configured. */
  openId: OpenId | undefined;
  setupGate: SetupGate;
  logger: InfoLogger;
  /** Call it for every request that has signed a user in (https-hint.ts). */
  hintHttps(request: AccessRequest): void;
  /** Browsers that users have signed in with. */
  devices: Devices;
  /** Keys are derived from it (keys.ts); also the service token, unless that has its own secret. Never shown. */
  jwtSecret: string;
  /** Signs the tokens of previews. */
  previewKey: KeyObject;
  publicOrigin: string | null;
  /** Ends background work and writes what was deferred: when sessions and tokens were last used. */
  close(): Promise<void>;
  /** Adds a site over HTTP. */
  addSite: AddSite;
  /** Why not only admins of all sites have a word in the site (outsider.ts); undefined if only they have. */
  findOutsider(site: SiteRef): string | undefined;
}

/** Password resets that may be requested in an hour. */
const RESETS_OF_ACCOUNT = 3;
const RESETS_OF_ADDRESS = 20;

const newAlphanumericId = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 16);

function createOpener({ dataDir, logger, audit, lockLost: lost }: AccessOptions) {
  const open = <T>(name: string, schema: z.ZodType<T>, empty: T): PrivateFile<T> =>
    openPrivateFile({ path: join(dataDir, name), schema, empty, logger, lost });
  const openAudited = <T extends Audited>(
    name: string,
    schema: z.ZodType<T>,
    empty: T,
    report: (before: T, after: T) => AuditedChange[],
  ): AuditedFile<T> => auditFile(open(name, schema, empty), { audit, report, logger });
  return { open, openAudited };
}

/** Opens the private files of a data folder. Throws if one cannot be read, with what to do about it. */
export function createAccess(options: AccessOptions): Access {
  const { elapsedMs = elapsedBy(options.now) } = options;
  const { dataDir, now, logger, audit, newId = newAlphanumericId, passwords = createPasswords() } = options;
  const { open, openAudited } = createOpener(options);
  const publicOrigin = toOrigin(options.publicUrl);
  // An empty variable counts as unset: it must never become a secret that an empty header matches.
  const jwtSecret = options.jwtSecret || getSecret(join(dataDir, 'secret'));
  const keySalt = getSecret(join(dataDir, 'key-salt'));

  const news = createNews<UserNews>();
  const users = createUsers({
    file: withUserNews(openAudited('users.json', UsersFile, { version: 1, users: [] }, reportUsers), news.report),
    passwords,
    now,
    newId,
  });
  const sites = createSites({
    file: openAudited('sites.json', SitesFile, { version: 1, sites: [] }, reportSites),
    configured: options.defaultSite,
    checkConfig: options.checkConfig,
    now,
  });
  const sessions = createSessions({
    file: open('sessions.json', SessionsFile, { version: 1, sessions: [] }),
    users,
    key: deriveKey(jwtSecret, keySalt, 'session cookie'),
    changed: (user) => news.report({ before: user, after: user }),
    now,
    logger,
  });
  const devices = createDevices({ key: deriveKey(jwtSecret, keySalt, 'device cookie'), now });
  const tokensFile = openAudited<TokensFile>(
    'access-tokens.json',
    TokensFile,
    { version: 1, tokens: [] },
    (...change) => reportTokens(...change, (id) => users.find(id)?.sites),
  );
  const tokens = createTokens({
    file: tokensFile,
    users,
    listSites: sites.list,
    now,
    newId,
    logger,
  });
  const ranks = createRanks(sites.list);
  const codes = createOneTimeCodes({
    users,
    wantedFor: options.requireCodes ?? [],
    issuer: publicOrigin === null ? 'Colophon' : new URL(publicOrigin).host,
    comesFromProvider: ({ provider }) => provider !== undefined && provider.issuer === options.oidc?.issuer,
    logger,
    now,
  });
  const signIn = createSignIn({ users, devices, codes, throttle: createThrottle(elapsedMs), logger });
  const post = createPost({ mailer: options.mailer, logger });
  const links = createMailedLinks({
    users,
    post,
    allowances: {
      account: createAllowance(RESETS_OF_ACCOUNT, elapsedMs),
      address: createAllowance(RESETS_OF_ADDRESS, elapsedMs),
    },
    logger,
    now,
  });
  const openId = createOpenId({
    oidc: options.oidc,
    publicUrl: options.publicUrl,
    key: deriveKey(jwtSecret, keySalt, 'provider cookie'),
    users,
    logger,
    now,
    elapsedMs,
  });
  const team = createTeam({ users, news, tokens, links, codes, ranks, sessions, listSites: sites.list, logger });

  return {
    ...createAuthentication({
      sessions,
      tokens,
      serviceToken: options.serviceSecret || jwtSecret,
      publicOrigin,
      owesCodes: codes.isOwed,
    }),
    users,
    sessions,
    tokens,
    sites,
    team,
    oversight: createOversight({ team, sessions, tokens, users, ranks, audit, logger }),
    previewKey: deriveKey(jwtSecret, keySalt, 'preview link'),
    linkMakers: createLinkMakers({ users, tokens, owesCodes: codes.isOwed }),
    profiles: createProfiles({ users, sessions, tokens, signIn, sites, codes, logger }),
    signIn,
    codes,
    links,
    post,
    openId,
    setupGate: createSetupGate({
      token: options.setupToken,
      isExposed: options.isExposed ?? false,
      hasUsers: users.hasUsers(),
    }),
    devices,
    hintHttps: createHttpsHint(publicOrigin, logger),
    logger,
    jwtSecret,
    publicOrigin,
    async close() {
      await post.close();
      await sessions.flush();
      await tokens.flush();
    },
    ...createAuditAllowance({ audit, elapsedMs, logger }),
    addSite: createAddSite({ sites, sitesDir: options.sitesDir, dataDir, logger }),
    findOutsider: (site) => findOutsider(site, { users: users.list(), tokens: tokensFile.read().tokens, now: now() }),
  };
}
