// Which users a person who manages the team may see, and how much of them. A person who is limited to sites sees the
// users who have access to one of them, but none of the users' other sites. Pure.
import type { Principal, SiteRef } from '../principal.ts';
import { mayTouchSite, type TeamMember, toTeamMember, type User } from './user.ts';

export interface Visibility {
  isVisible(principal: Principal, user: User): boolean;
  /** The user as the principal may see it. Only for visible users. */
  show(principal: Principal, user: User): TeamMember;
}

export function createVisibility(listSites: () => readonly SiteRef[]): Visibility {
  const sitesOf = (principal: Principal): readonly SiteRef[] => listSites().filter((site) => principal.mayTouch(site));

  return {
    isVisible: (principal, user) =>
      principal.allSites === true ||
      principal.userId === user.id ||
      sitesOf(principal).some(({ id }) => mayTouchSite(user, id)),
    show(principal, user) {
      const member = toTeamMember(user);
      if (principal.allSites || member.sites === '*') return member;
      const own = new Set(sitesOf(principal).map(({ id }) => id));
      return { ...member, sites: member.sites.filter((id) => own.has(id)) };
    },
  };
}
