// The makers of what outlives a request: links that people subscribe to, previews, agents, deploys. Each ends with its
// maker: with the password that was valid when it was made, or with the access token that made it. Links are not stored;
// to check one, the caller lists the makers.
import type { StoredMaker } from '../lib/rights/maker.ts';
import type { Permission, Principal, SiteRef } from './principal.ts';
import type { Tokens } from './tokens/tokens.ts';
import { heldBack, toSessionPrincipal, type User } from './users/user.ts';
import type { Users } from './users/users.ts';

export type LinkMaker = StoredMaker;

export interface LinkMakers {
  /** All makers; the same array until a user or a token changes. */
  list(): readonly LinkMaker[];
  /** The maker of links that the principal asks for; undefined if it has no user. */
  of(principal: Pick<Principal, 'userId' | 'tokenId'>): LinkMaker | undefined;
  /** The principal that the maker's links act as; undefined if the maker has ended. */
  findPrincipal(maker: LinkMaker): Principal | undefined;
  /** Why the maker has ended, as the rest of a sentence; undefined if it has not. */
  whyEnded(maker: LinkMaker): string | undefined;
}

/** The makers of one site, for what stops when they may no longer do what they started. */
export interface SiteMakers extends Pick<LinkMakers, 'of'> {
  /** Undefined if the maker has ended, or may not use the site. */
  find(maker: LinkMaker): Principal | undefined;
  /** Why the maker may no longer do it on the site; undefined if it may. */
  whyEnded(maker: LinkMaker, permission: Permission): string | undefined;
}

export function createLinkMakers(options: {
  users: Users;
  tokens: Tokens;
  /** True for a user who has to set up one-time codes before anything else. */
  owesCodes: (user: User) => boolean;
}): LinkMakers {
  const { users, tokens, owesCodes } = options;
  let kept: { of: readonly [unknown, unknown]; makers: readonly LinkMaker[] } | undefined;

  function findPrincipal({ userId, by }: LinkMaker): Principal | undefined {
    if ('tokenId' in by) return tokens.findPrincipal(by.tokenId);
    const user = users.find(userId);
    if (!isHeld(user, by.epoch)) return undefined;
    return owesCodes(user) ? heldBack(toSessionPrincipal(user)) : toSessionPrincipal(user);
  }

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

    findPrincipal,

    whyEnded(maker) {
      if (findPrincipal(maker)) return undefined;
      const user = users.find(maker.userId);
      if (!user) return 'the account is gone';
      if (user.suspended) return 'the account is suspended';
      if ('tokenId' in maker.by) return 'the access token was revoked or is too old';
      return 'the password was changed, or an admin ended the sessions of the account';
    },
  };
}

/** The makers as one site sees them. */
export function toSiteMakers(makers: LinkMakers, site: SiteRef): SiteMakers {
  return {
    of: makers.of,
    find(maker) {
      const principal = makers.findPrincipal(maker);
      return principal?.mayTouch(site) ? principal : undefined;
    },
    whyEnded(maker, permission) {
      const principal = makers.findPrincipal(maker);
      if (!principal) return makers.whyEnded(maker);
      if (!principal.mayTouch(site)) return 'the account may no longer use the site';
      if (principal.permissions.has(permission)) return undefined;
      return `the account no longer has the permission ${permission}`;
    },
  };
}

/** The makers of what is the whole service's: of admins of all sites alone. */
export function toServiceMakers(makers: Pick<LinkMakers, 'of' | 'findPrincipal' | 'whyEnded'>) {
  return {
    of: makers.of,
    whyEnded(maker: LinkMaker): string | undefined {
      const principal = makers.findPrincipal(maker);
      if (!principal) return makers.whyEnded(maker);
      return principal.allSites === true && principal.permissions.has('sites:write')
        ? undefined
        : 'the account no longer manages every site';
    },
  };
}

function isHeld(user: User | undefined, epoch: number): user is User {
  return user !== undefined && user.epoch === epoch && !user.suspended;
}
