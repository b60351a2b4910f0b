// What a link that somebody subscribes to ends with: the password that was good when it was made, or the access token that
// made it. The links themselves are not stored: whoever checks one asks which makers there are.
import type { Principal } from './principal.ts';
import type { Tokens } from './tokens/tokens.ts';
import { heldBack, toSessionPrincipal, type User } from './users/user.ts';
import type { Users } from './users/users.ts';

export interface LinkMaker {
  userId: string;
  /** Its access token, or the count of the user's passwords. */
  by: { tokenId: string } | { epoch: number };
}

export interface LinkMakers {
  /** Those that there are; the same array until a user or a token changes. */
  list(): readonly LinkMaker[];
  /** The maker of what a principal asks for; undefined for one without a user. */
  of(principal: Principal): LinkMaker | undefined;
  /** What the maker opens now; undefined if it has ended. */
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
