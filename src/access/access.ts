// Users, sessions, tokens and sites of one data folder, put together. The command line uses the same object without the
// routes; whoever holds it may do everything.

import { join } from 'node:path';
import { customAlphabet } from 'nanoid';
import type { Audit, Change } from '../audit/entry.ts';
import type { OidcEnv } from '../config/oidc-env.ts';
import type { Log } from '../data/log.ts';
import { openPrivateFile } from '../data/private-file.ts';
import { isStorageFull, type Problem } from '../lib/errors.ts';
import { type ElapsedMs, elapsedBy } from '../lib/time/elapsed.ts';
import type { Mailer } from '../outbound/mailer.ts';
import { toEntries } from './audit-homes.ts';
import { auditFile } from './audited-file.ts';
import { createOneTimeCodes, type OneTimeCodes } from './codes/service.ts';
import { deriveKey } from './keys.ts';
import { createLinkMakers, type LinkMakers } from './link-makers.ts';
import { createAllowance } from './links/allowance.ts';
import { createMailedLinks, type MailedLinks } from './links/mailed-links.ts';
import { createPost, type Post } from './links/post.ts';
import { createOpenId, type OpenId } from './oidc/open-id.ts';
import { createOversight, type Oversight } from './oversight.ts';
import { createPasswords, type Passwords } from './passwords/passwords.ts';
import type { Principal, Role } from './principal.ts';
import { tooManyRequests } from './refusals.ts';
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
import { createSites, type SiteEntry, type Sites, SitesFile, tellSites } from './sites/sites.ts';
import { TokensFile, tellTokens } from './tokens/token.ts';
import { createTokens, type Tokens } from './tokens/tokens.ts';
import { tellUsers } from './users/account-changes.ts';
import { createProfiles, type Profiles } from './users/profile.ts';
import { createRanks } from './users/ranks.ts';
import { createTeam, type Team } from './users/team.ts';
import { type User, UsersFile } from './users/user.ts';
import { createUsers, type Users } from './users/users.ts';

export interface AccessOptions {
  dataDir: string;
  /** `CMS_JWT_SECRET`; without it one is made and kept in the data folder. */
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
  oidc?: OidcEnv | undefined;
  /** The site of `CMS_CONFIG_PATH`. */
  defaultSite: Pick<SiteEntry, 'id' | 'org' | 'configPath'> | null;
  /** `CMS_SITES_DIR`; without it no site can be added over HTTP. */
  sitesDir?: string | undefined;
  /** Why the data folder is another process's by now, if it is: nothing is written to the private files any more. */
  lockLost?: (() => string | undefined) | undefined;
  /** Told of users, tokens and sites; nobody is where it is absent. */
  audit?: Audit | undefined;
  checkConfig: (path: string) => Promise<Problem[]>;
  now: () => Date;
  /** Passes as `now` does if absent. */
  elapsedMs?: ElapsedMs;
  log: Log;
  passwords?: Passwords;
  newId?: () => string;
}

export interface Access extends Authentication {
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
  /** Undefined without a provider. */
  openId: OpenId | undefined;
  setupGate: SetupGate;
  log: Log;
  /** To be told of every request that has signed somebody in. */
  hintHttps(request: AccessRequest): void;
  /** Browsers that somebody has signed in with. */
  devices: Devices;
  /** What the keys are derived from (keys.ts), and the service token where it has no secret of its own; never shown. */
  jwtSecret: string;
  publicOrigin: string | null;
  /** Records a sign-in, which no file tells of: `audit-homes.ts` says where. */
  recordSignIn(user: User, changes: Change[]): Promise<void>;
  /** 429 for who changes their own account so often that others' entries would go from the audit. */
  refuseOften(principal: Principal): void;
  /** Ends what goes on behind answers, and writes what was left for later: when sessions and tokens were used last. */
  close(): Promise<void>;
  /** Adds a site for somebody who is not on this machine. */
  addSite: AddSite;
}

/** Resets that are asked for in an hour. */
const RESETS_OF_ACCOUNT = 3;
/** In an hour, of an account: what has an entry in the audit. */
const OWN_CHANGES = 200;
const AUDITED_SIGN_INS = 100;
const RESETS_OF_ADDRESS = 20;

const newAlphanumericId = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 16);

/** Opens the private files of a data folder. Throws what to do about one that cannot be read. */
export function createAccess(options: AccessOptions): Access {
  const { elapsedMs = elapsedBy(options.now) } = options;
  const { dataDir, now, log, audit, newId = newAlphanumericId, passwords = createPasswords() } = options;
  const lost = options.lockLost;
  const publicOrigin = toOrigin(options.publicUrl);
  // An empty variable is one that is not set; it must never become a secret that the empty header matches.
  const jwtSecret = options.jwtSecret || getSecret(join(dataDir, 'secret'));
  const keySalt = getSecret(join(dataDir, 'key-salt'));

  const users = createUsers({
    file: auditFile(
      openPrivateFile({
        path: join(dataDir, 'users.json'),
        schema: UsersFile,
        empty: { version: 1, users: [] },
        log,
        lost,
      }),
      { audit, tell: tellUsers, log },
    ),
    passwords,
    now,
    newId,
  });
  const sites = createSites({
    file: auditFile(
      openPrivateFile({
        path: join(dataDir, 'sites.json'),
        schema: SitesFile,
        empty: { version: 1, sites: [] },
        log,
        lost,
      }),
      { audit, tell: tellSites, log },
    ),
    configured: options.defaultSite,
    checkConfig: options.checkConfig,
    now,
  });
  const sessions = createSessions({
    file: openPrivateFile({
      path: join(dataDir, 'sessions.json'),
      schema: SessionsFile,
      empty: { version: 1, sessions: [] },
      log,
      lost,
    }),
    users,
    key: deriveKey(jwtSecret, keySalt, 'session cookie'),
    now,
    log,
  });
  const devices = createDevices({ key: deriveKey(jwtSecret, keySalt, 'device cookie'), now });
  const tokens = createTokens({
    file: auditFile(
      openPrivateFile({
        path: join(dataDir, 'access-tokens.json'),
        schema: TokensFile,
        empty: { version: 1, tokens: [] },
        log,
        lost,
      }),
      { audit, tell: (before, after) => tellTokens(before, after, (id) => users.find(id)?.sites), log },
    ),
    users,
    listSites: sites.list,
    now,
    newId,
    log,
  });
  const ranks = createRanks(sites.list);
  const ownChanges = createAllowance(OWN_CHANGES, elapsedMs);
  const signIns = createAllowance(AUDITED_SIGN_INS, elapsedMs);
  const codes = createOneTimeCodes({
    users,
    wantedFor: options.requireCodes ?? [],
    issuer: publicOrigin === null ? 'Colophon' : new URL(publicOrigin).host,
    comesFromProvider: ({ provider }) => provider !== undefined && provider.issuer === options.oidc?.issuer,
    log,
    now,
  });
  const signIn = createSignIn({ users, devices, codes, throttle: createThrottle(elapsedMs), log });
  const post = createPost({ mailer: options.mailer, log });
  const links = createMailedLinks({
    users,
    post,
    allowances: {
      account: createAllowance(RESETS_OF_ACCOUNT, elapsedMs),
      address: createAllowance(RESETS_OF_ADDRESS, elapsedMs),
    },
    log,
    now,
  });
  const openId = createOpenId({
    oidc: options.oidc,
    publicUrl: options.publicUrl,
    key: deriveKey(jwtSecret, keySalt, 'provider cookie'),
    users,
    log,
    now,
    elapsedMs,
  });
  const team = createTeam({ users, tokens, links, codes, ranks, listSites: sites.list, log });

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
    oversight: createOversight({ team, sessions, tokens, users, ranks, audit, log }),
    linkMakers: createLinkMakers({ users, tokens, owesCodes: codes.isOwed }),
    profiles: createProfiles({ users, sessions, tokens, signIn, sites, codes, log }),
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
    hintHttps: createHttpsHint(publicOrigin, log),
    log,
    jwtSecret,
    publicOrigin,
    async close() {
      await post.close();
      await sessions.flush();
      await tokens.flush();
    },
    refuseOften({ userId, permissions }) {
      if (userId === null || permissions.has('team:manage')) return;
      const waitSeconds = ownChanges.take(userId);
      if (waitSeconds > 0)
        throw tooManyRequests('too many changes of your account in an hour, try again later', waitSeconds);
    },
    async recordSignIn({ id, name, email, sites }, changes) {
      const action = 'session.started';
      // The log has them all; nobody pushes the entries of others out by signing in.
      if (!audit || signIns.take(id) > 0) return;
      try {
        await audit.append(toEntries(audit, { action, target: id, changes }, sites, { id, name, email }));
      } catch (error) {
        if (!isStorageFull(error)) throw error;
        // Whoever is to make room has to come in.
        log.info({ err: error, userId: id, action }, 'the audit could not be written');
      }
    },
    addSite: createAddSite({ sites, sitesDir: options.sitesDir, dataDir, log }),
  };
}
