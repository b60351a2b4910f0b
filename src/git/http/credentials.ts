// The access token in a git client's Authorization header. Pure; the access capability decides whether it is valid.

const BEARER = /^bearer +(\S+) *$/i;
const BASIC = /^basic +([A-Za-z0-9+/=_-]+) *$/i;

/**
 * The strings that may be a token, the likelier first: the bearer, or from Basic credentials the password (which git
 * asks for and credential helpers keep) and the user name (`https://<token>@host/`).
 */
export function findTokens(authorization: string | undefined): string[] {
  if (authorization === undefined) return [];
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer !== undefined) return [bearer];
  const basic = BASIC.exec(authorization)?.[1];
  if (basic === undefined) return [];
  const [, name = '', password = ''] = /^([^:]*):?(.*)$/s.exec(Buffer.from(basic, 'base64').toString('utf8')) ?? [];
  return [password, name].filter((text) => text !== '');
}
