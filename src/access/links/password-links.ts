// Links that people who manage the team send to a user who has forgotten the password, or not accepted the invitation.
import type { AuditActor } from '../../audit/entry.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import { makeLink, withLink } from './link.ts';
import { needBase, toLinkUrl } from './link-base.ts';
import { inviteMail, resetMail } from './mails.ts';
import type { Post } from './post.ts';

/**
 * Mails a user a link that sets the password; returns it if mail is not set up. For an invited user it is a new
 * invitation. `guard` throws if the caller may not do it.
 */
export type SendPasswordLink = (
  id: string,
  parts: { guard(user: User): void; by: AuditActor; base: string | undefined },
) => Promise<string | undefined>;

export function createPasswordLinks({
  users,
  post,
  now,
}: {
  users: Pick<Users, 'revise'>;
  post: Post;
  now: () => Date;
}): SendPasswordLink {
  return async (id, { guard, by, base: given }) => {
    const base = needBase(given);
    const { user, kind, token } = await users.revise(
      id,
      (before) => {
        guard(before);
        const kind = before.invited ? 'invite' : 'reset';
        const { token, link } = makeLink(kind, now());
        return [withLink(before, kind, link), { user: before, kind, token } as const];
      },
      by,
    );
    const url = toLinkUrl(base, kind, token);
    if (!post.isSetUp) return url;
    const to = user.email;
    post.behind(kind, () =>
      post.send(kind, user.invited ? inviteMail({ to, url, by: by.name }) : resetMail({ to, url })),
    );
    return undefined;
  };
}
