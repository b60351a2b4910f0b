// The variables for sign-in through an OpenID provider, which belong together. The operator sets them, so the issuer
// may be a private address.
import { z } from 'zod';
import { ROLES, type Role } from '../access/principal.ts';
import type { Problem } from '../lib/errors.ts';
import { isLoopbackHost } from '../lib/loopback.ts';

/** A value of the roles claim, and the role that it gives. */
export interface RoleRule {
  value: string;
  role: Role;
}

export interface OidcEnv {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Empty if the service assigns roles itself, and only existing users get in. */
  readonly roles: readonly RoleRule[];
  readonly rolesClaim: string;
  readonly scopes: string;
  /** The name on the sign-in button. */
  readonly name: string;
}

/** https, except for a provider on this machine. Kept as written: a trailing slash is part of an issuer. */
export const Issuer = z.string().refine((text) => {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  return isSafe && !/[?#]/.test(text);
}, 'expected an https URL without a query');

/** `admins=admin,Writers=editor`. */
export const RoleRules = z.string().transform((text, context): RoleRule[] =>
  text.split(',').map((rule) => {
    const at = rule.lastIndexOf('=');
    const value = rule.slice(0, Math.max(0, at)).trim();
    const role = ROLES.find((one) => one === rule.slice(at + 1).trim());
    if (value !== '' && role !== undefined) return { value, role };
    context.addIssue(`expected value=role with commas between them; a role is one of ${ROLES.join(', ')}`);
    return z.NEVER;
  }),
);

/** `admin,editor`. */
export const RoleList = z.string().transform((text, context): Role[] =>
  text.split(',').map((name) => {
    const role = ROLES.find((one) => one === name.trim());
    if (role !== undefined) return role;
    context.addIssue(`expected roles with commas between them, each one of ${ROLES.join(', ')}`);
    return z.NEVER;
  }),
);

export interface OidcVariables {
  CMS_OIDC_ISSUER?: string | undefined;
  CMS_OIDC_CLIENT_ID?: string | undefined;
  CMS_OIDC_CLIENT_SECRET?: string | undefined;
  CMS_OIDC_ROLES?: RoleRule[] | undefined;
  CMS_OIDC_ROLES_CLAIM: string;
  CMS_OIDC_SCOPES: string;
  CMS_OIDC_NAME: string;
  CMS_PUBLIC_URL?: string | undefined;
}

/** What an issuer still needs. */
export function oidcProblems(given: Readonly<Record<string, string | undefined>>): Problem[] {
  if (given.CMS_OIDC_ISSUER === undefined) return [];
  return ['CMS_OIDC_CLIENT_ID', 'CMS_PUBLIC_URL']
    .filter((name) => given[name] === undefined)
    .map((path) => ({ path, message: 'is required with CMS_OIDC_ISSUER' }));
}

/** Returns undefined without an issuer. */
export function toOidcEnv(values: OidcVariables): OidcEnv | undefined {
  const { CMS_OIDC_ISSUER: issuer, CMS_OIDC_CLIENT_ID: clientId, CMS_OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    roles: values.CMS_OIDC_ROLES ?? [],
    rolesClaim: values.CMS_OIDC_ROLES_CLAIM,
    scopes: values.CMS_OIDC_SCOPES,
    name: values.CMS_OIDC_NAME,
  };
}
