// The user accounts and their changes. It must not check who wants a change: profile.ts and team.ts do, and the command
// line may do everything.
import { randomBytes } from 'node:crypto';
import type { AuditActor } from '../../audit/entry.ts';
import { derived } from '../../data/private-file.ts';
import { conflict, forbidden, notFound } from '../../lib/errors.ts';
import type { AuditedFile } from '../audited-file.ts';
import type { NewUserInput, SetupInput } from '../input.ts';
import { linkHashes } from '../links/link.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { settleAccount } from './settle-account.ts';
import { emailKey, mayTouchSite, type User, type UsersFile } from './user.ts';

/** Runs inside the write, so that no other write comes in between; throws to refuse. */
export type Guard = (before: User, after: User) => void;

export type UserChange = Partial<
  Pick<User, 'email' | 'name' | 'role' | 'sites' | 'zoom' | 'lastActiveOrg' | 'lastActiveSite' | 'suspended'>
> & {
  password?: string;
  /** True if users set their own password: the access tokens remain valid. */
  keepsTokens?: boolean;
};

/** Further parts of the record that a new account may have. */
export type AccountParts = Pick<User, 'invited' | 'links' | 'provider'>;

export interface Users {
  hasUsers(): boolean;
  /** True for the last admin, or the last admin of every site, whom no change may take away. */
  isLastAdmin(id: string): boolean;
  find(id: string): User | undefined;
  /** The account with this address; without one, an invitation to it, of which there may be several. */
  findByEmail(email: string): User | undefined;
  /** The user of the mailed link with this hash. Does not check its expiry. */
  findByLink(sha256: string): User | undefined;
  findByProvider(issuer: string, subject: string): User | undefined;
  get(idOrEmail: string): User;
  list(): User[];
  /** Names of the people of a site, by name, including those whose accounts were removed. */
  listPeople(siteId: string): { id: string; name: string }[];
  /** Creates the first admin; 403 once there is a user. */
  setUp(input: SetupInput): Promise<User>;
  /**
   * Returns `password` only if it was generated. 409 if an account or invitation with the address is there; only
   * invitations may leave out of account what `sees` returns false for.
   */
  add(
    input: NewUserInput,
    by?: AuditActor,
    more?: AccountParts,
    sees?: (user: User) => boolean,
  ): Promise<{ user: User; password?: string }>;
  /**
   * A new password or a suspension also ends the user's sessions and access tokens, in the same write. 409 if the
   * change would make a second account with the same address.
   */
  change(id: string, change: UserChange, guard?: Guard, by?: AuditActor): Promise<User>;
  /** Replaces the newest record with the one that `revise` returns, in one step; the same record means no write. */
  revise<R>(id: string, revise: (user: User) => readonly [User, R], by?: AuditActor): Promise<R>;
  remove(id: string, guard?: (user: User) => void, by?: AuditActor): Promise<void>;
  /** True if the password is right. Without a user it returns false, after as long as a wrong password takes. */
  verify(user: User | undefined, password: string): Promise<boolean>;
}

/** Names of removed accounts that are kept: each write of the file writes them too. */
const MOST_FORMER = 1000;

function isActiveAdmin(user: User): boolean {
  return user.role === 'admin' && !user.suspended;
}

function isFullAdmin(user: User): boolean {
  return isActiveAdmin(user) && user.sites === '*';
}

/** 409 if the change leaves no active admin, or no active admin of every site. */
function keepAnAdmin(before: User[], after: User[]): void {
  if (before.some(isActiveAdmin) && !after.some(isActiveAdmin))
    throw conflict('the last admin cannot be removed, suspended or given another role');
  if (before.some(isFullAdmin) && !after.some(isFullAdmin))
    throw conflict('the last admin of every site cannot be removed, suspended, limited to sites or given another role');
}

export function generatePassword(): string {
  return randomBytes(15).toString('base64url');
}

function providerKey(issuer: string, subject: string): string {
  return JSON.stringify([issuer, subject]);
}

function isTaken(users: readonly User[], email: string): boolean {
  const key = emailKey(email);
  return users.some((user) => emailKey(user.email) === key);
}

function refuseTaken(users: readonly User[], email: string): void {
  if (isTaken(users, email)) throw conflict(`a user with the e-mail address "${email}" exists already`);
}

/** 409 for a second account with the same address. Invitations do not count: several sites may invite one person. */
function refuseSecond(users: readonly User[], before: User, after: User): void {
  const isMoved = emailKey(after.email) !== emailKey(before.email);
  const isAccepted = before.invited && !after.invited;
  if (after.invited || !(isMoved || isAccepted)) return;
  const accounts = users.filter(({ id, invited }) => id !== after.id && !invited);
  if (isAccepted && isTaken(accounts, after.email))
    throw conflict(
      'you have an account with this address already: sign in with it, and ask the people who run the service to give it this site',
    );
  refuseTaken(accounts, after.email);
}

function newUser(
  input: Omit<NewUserInput, 'password'>,
  passwordHash: string,
  { id, now }: { id: string; now: Date },
): User {
  return {
    id,
    email: input.email,
    name: input.name,
    role: input.role,
    siteRole: null,
    sites: input.sites,
    zoom: 100,
    lastActiveOrg: null,
    lastActiveSite: null,
    passwordHash,
    epoch: 1,
    createdAt: now.toISOString(),
  };
}

function indexUsers(users: readonly User[]) {
  // Accounts come last, and so before invitations.
  const invitedFirst = [...users].sort((a, b) => Number(b.invited ?? false) - Number(a.invited ?? false));
  return {
    byId: new Map(users.map((user) => [user.id, user])),
    byEmail: new Map(invitedFirst.map((user) => [emailKey(user.email), user])),
    byLink: new Map(users.flatMap((user) => linkHashes(user).map((sha256) => [sha256, user]))),
    byProvider: new Map(
      users.flatMap((user) =>
        user.provider ? [[providerKey(user.provider.issuer, user.provider.subject), user]] : [],
      ),
    ),
  };
}

export function createUsers(options: {
  file: AuditedFile<UsersFile>;
  passwords: Passwords;
  now: () => Date;
  newId: () => string;
}): Users {
  const { file, passwords, now, newId } = options;
  const index = derived(file, ({ users }) => indexUsers(users));

  return {
    hasUsers: () => file.read().users.length > 0,
    isLastAdmin(id) {
      const { users } = file.read();
      return [isActiveAdmin, isFullAdmin].some((isKind) => {
        const [first, second] = users.filter(isKind);
        return first?.id === id && second === undefined;
      });
    },
    find: (id) => index().byId.get(id),
    findByEmail: (email) => index().byEmail.get(emailKey(email)),
    findByLink: (sha256) => index().byLink.get(sha256),
    findByProvider: (issuer, subject) => index().byProvider.get(providerKey(issuer, subject)),
    get(idOrEmail) {
      const user = index().byId.get(idOrEmail) ?? index().byEmail.get(emailKey(idOrEmail));
      if (!user) throw notFound(`user "${idOrEmail}"`);
      return user;
    },
    list: () => file.read().users,
    listPeople(siteId) {
      const { users, former = [] } = file.read();
      const people = [...users, ...former].filter((user) => mayTouchSite(user, siteId));
      return people.map(({ id, name }) => ({ id, name })).sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    async setUp(input) {
      const passwordHash = await passwords.hash(input.password);
      return file.update(
        (value) => {
          if (value.users.length > 0) throw forbidden('set-up is complete');
          const user = newUser({ ...input, role: 'admin', sites: '*' }, passwordHash, { id: newId(), now: now() });
          return [{ ...value, users: [user] }, user];
        },
        { id: null, name: input.name, email: input.email },
      );
    },

    async add(input, by, more = {}, sees = () => true) {
      refuseTaken(file.read().users.filter(sees), input.email);
      const password = input.password ?? generatePassword();
      const passwordHash = await passwords.hash(password);
      return file.update((value) => {
        refuseTaken(value.users.filter(sees), input.email);
        const user = { ...newUser(input, passwordHash, { id: newId(), now: now() }), ...more };
        const result = input.password === undefined ? { user, password } : { user };
        return [{ ...value, users: [...value.users, user] }, result];
      }, by);
    },

    async change(id, { password, keepsTokens = false, suspended, ...rest }, guard, by) {
      const passwordHash = password === undefined ? undefined : await passwords.hash(password);
      return file.update((value) => {
        const before = value.users.find((user) => user.id === id);
        if (!before) throw notFound(`user "${id}"`);
        const given = Object.fromEntries(Object.entries(rest).filter(([, wanted]) => wanted !== undefined));
        const isSuspended = suspended === true && !before.suspended;
        const isOut = isSuspended || passwordHash !== undefined;
        const after = settleAccount(before, {
          ...before,
          ...given,
          ...(passwordHash === undefined ? {} : { passwordHash }),
          ...(suspended === undefined ? {} : { suspended: suspended || undefined }),
          ...(isOut ? { epoch: before.epoch + 1 } : {}),
          ...(isSuspended || (isOut && !keepsTokens) ? { tokenEpoch: (before.tokenEpoch ?? 0) + 1 } : {}),
        });
        guard?.(before, after);
        refuseSecond(value.users, before, after);
        const users = value.users.map((user) => (user.id === id ? after : user));
        keepAnAdmin(value.users, users);
        return [{ ...value, users }, after];
      }, by);
    },

    async revise(id, revise, by) {
      return file.update((value) => {
        const before = value.users.find((user) => user.id === id);
        if (!before) throw notFound(`user "${id}"`);
        const [after, result] = revise(before);
        if (after === before) return [value, result];
        refuseSecond(value.users, before, after);
        const users = value.users.map((user) => (user.id === id ? after : user));
        keepAnAdmin(value.users, users);
        return [{ ...value, users }, result];
      }, by);
    },

    async remove(id, guard, by) {
      await file.update((value) => {
        const user = value.users.find((candidate) => candidate.id === id);
        if (!user) throw notFound(`user "${id}"`);
        guard?.(user);
        const users = value.users.filter((candidate) => candidate.id !== id);
        keepAnAdmin(value.users, users);
        // Who has never signed in has done nothing that names them.
        const { name, sites, invited } = user;
        const former = invited ? value.former : [...(value.former ?? []), { id, name, sites }].slice(-MOST_FORMER);
        return [{ ...value, users, ...(former ? { former } : {}) }, undefined];
      }, by);
    },

    verify: (user, password) => passwords.verify(password, user?.passwordHash),
  };
}
