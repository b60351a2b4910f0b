// What the provider says about somebody, read with care. Pure.
import type { RoleRule } from '../../config/oidc-env.ts';
import { Email, Name } from '../input.ts';
import { ROLES, type Role } from '../principal.ts';

export interface IdentityClaims {
  issuer: string;
  subject: string;
  /** The id token's claims, whose signature was checked. */
  idToken: Record<string, unknown>;
  /** Those of the userinfo endpoint, about the same subject. */
  userInfo: Record<string, unknown>;
}

export interface IdentifiedPerson {
  issuer: string;
  subject: string;
  /** The address, if the provider says that it has verified it; undefined otherwise. */
  email: string | undefined;
  name: string;
  /** The strongest role that the mapping gives; undefined without a mapping, or if it gives none. */
  role: Role | undefined;
}

/** The strongest role, in the order of ROLES, of those whose value is among `held`: a text, or a list of texts. */
export function findRole(rules: readonly RoleRule[], held: unknown): Role | undefined {
  const values = new Set(Array.isArray(held) ? held : [held]);
  return ROLES.find((role) => rules.some((rule) => rule.role === role && values.has(rule.value)));
}

export function toPerson(claims: IdentityClaims, rules: readonly RoleRule[], rolesClaim: string): IdentifiedPerson {
  const { issuer, subject, idToken, userInfo } = claims;
  // Address and whether it is verified from one place: the one says nothing about the other's.
  const source = typeof idToken.email === 'string' ? idToken : userInfo;
  const email = source.email_verified === true ? Email.safeParse(source.email).data : undefined;
  const name = Name.safeParse(idToken.name ?? userInfo.name).data ?? email?.split('@')[0] ?? '';
  return { issuer, subject, email, name, role: findRole(rules, idToken[rolesClaim] ?? userInfo[rolesClaim]) };
}
