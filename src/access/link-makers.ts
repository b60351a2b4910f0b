// The makers of links that people subscribe to. A link ends with its maker: with the password that was valid when it
// was made, or with the access token that made it. Links are not stored; to check one, the caller lists the makers.
import type { Principal } from './principal.ts';
import type { Tokens } from './tokens/tokens.ts';
import { heldBack, toSessionPrincipal, type User } from './users/user.ts';
import type { Users } from './users/users.ts';

export interface LinkMaker {
  userId: string;
  /** The access token, or the user's password count (`epoch`). */
  by: { tokenId: string } | { epoch: number };
}

export interface LinkMakers {
  /** All makers; the same array until a user or a token changes. */
  list(): readonly LinkMaker[];
  /** The maker of links that the principal asks for; undefined if it has no user. */
  of(principal: Principal): LinkMaker | undefined;
  /** The principal that the maker's links act as; undefined if the maker has ended. */
  findPrincipal(maker: LinkMaker): Principal | undefined;
}

export function createLinkMakers(options: {
  users: Users;
  tokens: Tokens;
  /** True for a user who has to set up one-time codes before anything else. */
  owesCodes: (user: User) => boolean;
}): LinkMakers {
  const { users, tokens, owesCodes } = options;
  let kept: { of: readonly [unknown, unknown]; makers: readonly LinkMaker[] } | undefined;

  return {
    list() {
      const [people, issued] = [users.list(), tokens.all()];
      if (kept?.of[0] !== people || kept.of[1] !== issued) {
        const makers = [
          ...people.map(({ id, epoch }): LinkMaker => ({ userId: id, by: { epoch } })),
          ...issued.map(({ id, userId }): LinkMaker => ({ userId, by: { tokenId: id } })),
        ];
        kept = { of: [people, issued], makers };
      }
      return kept.makers;
    },

    of({ userId, tokenId }) {
      if (userId === null) return undefined;
      if (tokenId !== null) return { userId, by: { tokenId } };
      const user = users.find(userId);
      return user && { userId, by: { epoch: user.epoch } };
    },

    findPrincipal({ userId, by }) {
      if ('tokenId' in by) return tokens.findPrincipal(by.tokenId);
      const user = users.find(userId);
      if (!isHeld(user, by.epoch)) return undefined;
      return owesCodes(user) ? heldBack(toSessionPrincipal(user)) : toSessionPrincipal(user);
    },
  };
}

function isHeld(user: User | undefined, epoch: number): user is User {
  return user !== undefined && user.epoch === epoch && !user.suspended;
}
