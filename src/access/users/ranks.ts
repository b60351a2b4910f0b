// Who may manage whom: nobody those who hold more than they do themselves.
import { forbidden } from '../../lib/errors.ts';
import { isWithin, permissionsOf } from '../permissions.ts';
import type { Principal, Role, SiteRef } from '../principal.ts';
import type { SiteScope } from '../scope.ts';

export interface Ranks {
  /** 403 if the role or the sites are more than the principal's own. */
  refuseStronger(principal: Principal, user: { role: Role; sites: SiteScope }): void;
}

export function createRanks(listSites: () => SiteRef[]): Ranks {
  function coversSites(principal: Principal, wanted: SiteScope): boolean {
    if (principal.allSites) return true;
    if (wanted === '*') return false;
    const sites = listSites();
    return wanted.every((id) => sites.some((site) => site.id === id && principal.mayTouch(site)));
  }

  return {
    refuseStronger(principal, { role, sites }) {
      if (!isWithin(permissionsOf(role), principal.permissions))
        throw forbidden(`the role ${role} is more than your own`);
      if (!coversSites(principal, sites)) throw forbidden('these sites are more than your own');
    },
  };
}
