// Sets passwords and addresses by mailed links. A person who can read the mailbox can take over the account, so a link
// works once, for a short time, and the next one replaces it. It must not reveal to strangers which accounts exist.

import type { AuditActor } from '../../audit/entry.ts';
import { addressKey } from '../../lib/address-key.ts';
import { conflict, notFound, ServiceError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { NewUserInput } from '../input.ts';
import { tooManyRequests } from '../refusals.ts';
import { emailKey, sharesSite, type User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import type { Allowance } from './allowance.ts';
import type { ResetInput } from './input.ts';
import { findLink, LINK_TOKEN, type LinkKind, makeLink, toLinkHash, withLink } from './link.ts';
import { needBase, toLinkUrl } from './link-base.ts';
import { emailMail, emailNotice, inviteMail, resetMail } from './mails.ts';
import { createPasswordLinks, type SendPasswordLink } from './password-links.ts';
import type { Post } from './post.ts';

export interface MailedLinks {
  /** True if mail is set up and `base` is known. */
  maySend(base: string | undefined): base is string;
  /** Mails a link if the account exists, without revealing whether it does. 429 if `ip` has requested too many. */
  requestReset(email: string, ip: string, base: string | undefined): void;
  /** Returns a link that sets a user's password, for the caller to hand over. */
  makeResetLink(id: string, base: string, by?: AuditActor): Promise<string>;
  sendPasswordLink: SendPasswordLink;
  /** Sets the password of the token's user and ends their sessions. 400 for a token that is not valid. */
  reset(input: ResetInput): Promise<User>;
  /**
   * Adds a user without a password, or updates one who was invited before, and mails a new link; returns `url` if mail
   * is not set up. `guard` throws if the caller may not change the invited user. 409 for any other user that the caller
   * `sees`; one that the caller does not see makes no difference here, but is reported when the link is used.
   */
  invite(
    input: NewUserInput,
    parts: {
      guard(before: User, after: User): void;
      sees(user: User): boolean;
      by: AuditActor;
      base: string | undefined;
    },
  ): Promise<{ user: User; url?: string }>;
  /**
   * Returns a function that mails a link to a new address and a notice to the old one; nothing changes until the link
   * is used. 409 if the address is that of a user who shares a site, 429 for the fourth in an hour. Undefined if no link
   * can be mailed.
   */
  mailerOfAddresses(base: string | undefined): ((user: User, email: string) => Promise<void>) | undefined;
  /** Moves the account to the address that the token was mailed to. */
  confirmEmail(token: string): Promise<User>;
}

/** The person who requests a reset is not known. */
const STRANGER: AuditActor = { id: null, name: 'a person without a session', email: '' };

function deadLink(): ServiceError {
  return new ServiceError('invalid_input', 'the link was used or replaced, or is too old; ask for a new one');
}

function toActor({ id, name, email }: User): AuditActor {
  return { id, name, email };
}

/** True for a user who has set a password and may use it. */
function mayReset(user: User): boolean {
  return !user.invited && !user.suspended && !user.provider?.isOrigin;
}

export function createMailedLinks(options: {
  users: Users;
  post: Post;
  /** Resets by account and by client address. */
  allowances: { account: Allowance; address: Allowance };
  logger: Pick<Logger, 'info'>;
  now: () => Date;
}): MailedLinks {
  const { users, post, allowances, logger, now } = options;

  async function renew(kind: LinkKind, id: string, by: AuditActor | undefined, email?: string): Promise<string> {
    const { token, link } = makeLink(kind, now(), email);
    await users.revise(id, (user) => [withLink(user, kind, link), undefined], by);
    return token;
  }

  /** Returns the token's user, and a guard that repeats the check on the newest record inside the write. */
  function getLinked(token: string, kinds: readonly LinkKind[]) {
    const sha256 = toLinkHash(token);
    const kindOf = (user: User): LinkKind | undefined => {
      const kind = user.suspended ? undefined : findLink(user, sha256, now());
      return kind !== undefined && kinds.includes(kind) ? kind : undefined;
    };
    const user = LINK_TOKEN.test(token) ? users.findByLink(sha256) : undefined;
    if (!user || !kindOf(user)) throw deadLink();
    const guard = (before: User): void => {
      if (!kindOf(before)) throw deadLink();
    };
    return { user, guard };
  }

  return {
    maySend: (base): base is string => post.isSetUp && base !== undefined,

    requestReset(email, ip, base) {
      const waitSeconds = allowances.address.reserve(addressKey(ip));
      if (waitSeconds > 0) throw tooManyRequests('too many links requested; try again later', waitSeconds);
      if (!post.isSetUp || base === undefined) {
        logger.info(
          { ip },
          'a password reset was requested but not mailed: it needs SMTP_URL or RESEND_API_KEY, and CMS_PUBLIC_URL',
        );
        return;
      }
      if (allowances.account.reserve(emailKey(email)) > 0) return;
      post.behind('reset', async () => {
        const user = users.findByEmail(email);
        if (!user || !mayReset(user)) return;
        const url = toLinkUrl(base, 'reset', await renew('reset', user.id, STRANGER));
        await post.send('reset', resetMail({ to: user.email, url }));
      });
    },

    async makeResetLink(id, base, by) {
      const kind = users.find(id)?.invited ? 'invite' : 'reset';
      return toLinkUrl(base, kind, await renew(kind, id, by));
    },

    sendPasswordLink: createPasswordLinks({ users, post, now }),

    async reset({ token, password, name }) {
      const { user, guard } = getLinked(token, ['reset', 'invite']);
      const named = user.invited && name !== undefined ? { name } : {};
      const changed = await users.change(user.id, { password, keepsTokens: true, ...named }, guard, toActor(user));
      logger.info({ userId: user.id }, user.invited ? 'an invitation was accepted' : 'a password was set by a link');
      return changed;
    },

    async invite(input, { guard, sees, by, base: given }) {
      const base = needBase(given);
      const { token, link } = makeLink('invite', now());
      const named = users.list().filter((user) => emailKey(user.email) === emailKey(input.email) && sees(user));
      const known = named.find(({ invited }) => !invited) ?? named[0];
      let user: User;
      if (known) {
        const { email: _, password: __, ...rest } = input;
        user = await users.revise(
          known.id,
          (before) => {
            if (!before.invited) throw conflict(`a user with the e-mail address "${input.email}" exists already`);
            const after = withLink({ ...before, ...rest }, 'invite', link);
            guard(before, after);
            return [after, after];
          },
          by,
        );
      } else {
        ({ user } = await users.add(input, by, { invited: true, links: { invite: link } }, sees));
      }
      const url = toLinkUrl(base, 'invite', token);
      if (!post.isSetUp) return { user, url };
      post.behind('invitation', () => post.send('invitation', inviteMail({ to: user.email, url, by: by.name })));
      return { user };
    },

    mailerOfAddresses(base) {
      if (!post.isSetUp || base === undefined) return undefined;
      return async (user, email) => {
        const owner = users.findByEmail(email);
        if (owner && !owner.invited && sharesSite(user, owner))
          throw conflict(`a user with the e-mail address "${email}" exists already`);
        const waitSeconds = allowances.account.reserve(`address of ${user.id}`);
        if (waitSeconds > 0) throw tooManyRequests('too many links requested; try again later', waitSeconds);
        const url = toLinkUrl(base, 'email', await renew('email', user.id, toActor(user), email));
        post.behind('new address', () => post.send('new address', emailMail({ to: email, url, from: user.email })));
        post.behind('notice', () => post.send('notice', emailNotice({ to: user.email, url: base, next: email })));
      };
    },

    async confirmEmail(token) {
      const { user, guard } = getLinked(token, ['email']);
      const email = user.links?.email?.email;
      if (email === undefined) throw notFound('address of the link');
      return users.change(user.id, { email }, guard, toActor(user));
    },
  };
}
