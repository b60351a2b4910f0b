// Who may manage whom: no user may manage a user who has more rights.
import { forbidden } from '../../lib/errors.ts';
import { isWithin, permissionsOf } from '../permissions.ts';
import type { Principal, Role, SiteRef } from '../principal.ts';
import type { SiteScope } from '../scope.ts';

export interface Ranks {
  /** 403 if the user's role or sites exceed the principal's own. */
  refuseStronger(principal: Principal, user: { role: Role; sites: SiteScope }): void;
  mayManage(principal: Principal, user: { role: Role; sites: SiteScope }): boolean;
}

export function createRanks(listSites: () => SiteRef[]): Ranks {
  function coversSites(principal: Principal, wanted: SiteScope): boolean {
    if (principal.allSites) return true;
    if (wanted === '*') return false;
    const sites = listSites();
    return wanted.every((id) => sites.some((site) => site.id === id && principal.mayTouch(site)));
  }

  const hasRightsOf = (principal: Principal, role: Role): boolean =>
    isWithin(permissionsOf(role), principal.permissions);

  return {
    mayManage: (principal, { role, sites }) => hasRightsOf(principal, role) && coversSites(principal, sites),
    refuseStronger(principal, { role, sites }) {
      if (!hasRightsOf(principal, role)) throw forbidden(`role "${role}" has more rights than you have`);
      if (!coversSites(principal, sites)) throw forbidden('the user has access to sites that you have no access to');
    },
  };
}
