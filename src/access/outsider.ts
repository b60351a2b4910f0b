// Who besides admins of all sites has a word in a site: for what only the operator's own people may do. Reads accounts
// and tokens as they are now; what removed accounts have written does not count.
import { join } from 'node:path';
import type { InfoLogger } from '../data/info-logger.ts';
import { openPrivateFile } from '../data/private-file.ts';
import { heldBy } from './permissions.ts';
import type { Permission, Principal, SiteRef } from './principal.ts';
import { isExpired, isHeld, type Token, TokensFile, toTokenPrincipal } from './tokens/token.ts';
import { mayTouchSite, type User, UsersFile } from './users/user.ts';

/** Permissions by which a caller puts text, files or settings into a site. */
const WORDS: readonly Permission[] = [
  ...(['content:write', 'content:draft', 'content:publish', 'repository:write'] as const),
  ...(['media:write', 'forms:write', 'org:settings:write', 'sites:write'] as const),
];

const hasWord = (permissions: ReadonlySet<Permission>): boolean => WORDS.some((word) => permissions.has(word));

/**
 * Returns the reason as the end of a sentence, undefined if the site's words come from admins of all sites alone. Pure.
 * Suspended accounts count: they may come back, and what they wrote is there. A token counts as its owner only if it is
 * for all sites and no model uses it.
 */
export function findOutsider(
  site: SiteRef,
  { users, tokens, now }: { users: readonly User[]; tokens: readonly Token[]; now: Date },
): string | undefined {
  const isOutsider = (user: User): boolean =>
    mayTouchSite(user, site.id) && hasWord(heldBy(user.role)) && !(user.role === 'admin' && user.sites === '*');
  if (users.some(isOutsider)) return 'an account that is not an admin of all sites may change it';
  const owners = new Map(users.map((user) => [user.id, user]));
  for (const token of tokens) {
    const owner = owners.get(token.userId);
    if (!owner || !isHeld(token, owner) || isExpired(token, now.getTime())) continue;
    if (isForeign(toTokenPrincipal(token, owner), site))
      return 'an access token that is limited to sites, or used by a model, may change it';
  }
  return undefined;
}

function isForeign(token: Principal, site: SiteRef): boolean {
  if (!token.mayTouch(site) || !hasWord(token.permissions)) return false;
  return token.allSites !== true || token.isAgent === true;
}

/** The same from the files of a data folder, for commands; makes none of them. */
export function readOutsider(site: SiteRef, options: { dataDir: string; now: Date; logger: InfoLogger }) {
  const { dataDir, now, logger } = options;
  const open = { logger, lost: undefined };
  const { users } = openPrivateFile({
    ...{ path: join(dataDir, 'users.json'), schema: UsersFile, empty: { version: 1, users: [] }, ...open },
  }).read();
  const { tokens } = openPrivateFile({
    ...{ path: join(dataDir, 'access-tokens.json'), schema: TokensFile, empty: { version: 1, tokens: [] }, ...open },
  }).read();
  return findOutsider(site, { users, tokens, now });
}
