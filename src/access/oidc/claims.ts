// Reads what the provider says about a person, and trusts only what it vouches for. Pure.
import type { RoleRule } from '../../config/oidc-env.ts';
import { Email, Name } from '../input.ts';
import { ROLES, type Role } from '../principal.ts';

export interface IdentityClaims {
  issuer: string;
  subject: string;
  /** The claims of the id token, whose signature was checked. */
  idToken: Record<string, unknown>;
  /** The claims of the userinfo endpoint, about the same subject. */
  userInfo: Record<string, unknown>;
}

export interface IdentifiedPerson {
  issuer: string;
  subject: string;
  /** The address if the provider calls it verified, otherwise undefined. */
  email: string | undefined;
  name: string;
  /** The strongest role that the mapping gives; undefined without a mapping, or if it gives none. */
  role: Role | undefined;
}

/** The strongest role, in the order of ROLES, whose value is in `held`: a text, or a list of texts. */
export function findRole(rules: readonly RoleRule[], held: unknown): Role | undefined {
  const values = new Set(Array.isArray(held) ? held : [held]);
  return ROLES.find((role) => rules.some((rule) => rule.role === role && values.has(rule.value)));
}

export function toPerson(claims: IdentityClaims, rules: readonly RoleRule[], rolesClaim: string): IdentifiedPerson {
  const { issuer, subject, idToken, userInfo } = claims;
  // The address and its verification come from the same source: neither source vouches for the other's address.
  const source = typeof idToken.email === 'string' ? idToken : userInfo;
  const email = source.email_verified === true ? Email.safeParse(source.email).data : undefined;
  const name = Name.safeParse(idToken.name ?? userInfo.name).data ?? email?.split('@')[0] ?? '';
  return { issuer, subject, email, name, role: findRole(rules, idToken[rolesClaim] ?? userInfo[rolesClaim]) };
}
