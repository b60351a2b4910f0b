// Creates, lists, revokes and recognises access tokens. A token never has more rights than its owner: creating one
// checks that, so that nobody is surprised later, and every request applies it again.
import { randomBytes } from 'node:crypto';
import type { AuditActor } from '../../audit/entry.ts';
import type { InfoLogger } from '../../data/info-logger.ts';
import { derived } from '../../data/private-file.ts';
import { conflict, forbidden, invalid, notFound } from '../../lib/errors.ts';
import type { AuditedFile } from '../audited-file.ts';
import type { NewTokenInput } from '../input.ts';
import { heldBy } from '../permissions.ts';
import type { Principal, SiteRef } from '../principal.ts';
import { countTargets, type Resource } from '../scope.ts';
import { createLastSeen } from '../sessions/last-seen.ts';
import { mayTouchSite, type User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import {
  isExpired,
  isHeld,
  type RemainingToken,
  type ShownToken,
  TOKEN_FORM,
  type Token,
  type TokensFile,
  toMasked,
  toShownToken,
  toTokenHash,
  toTokenPrincipal,
  withUse,
} from './token.ts';

/** For all tokens of a user: the service keeps all tokens in memory and in each write of the file. */
const MAX_WEIGHT = 10_000;

export type CreatedToken = ShownToken & { token: string };

export interface Tokens {
  /** Shows `token` this once. 403 if it would exceed the owner's rights, 409 if the owner has too many tokens. */
  create(owner: User, input: NewTokenInput, by?: AuditActor): Promise<CreatedToken>;
  list(owner: User): ShownToken[];
  /** The tokens that remain valid after a new password, as the owner is shown them. */
  listRemaining(owner: User): RemainingToken[];
  /** The token's owner; undefined if there is no such token. */
  findOwner(id: string): User | undefined;
  /** 404 for a token that is not the owner's. */
  revoke(owner: User, id: string, by?: AuditActor): Promise<void>;
  removeAll(userId: string, by?: AuditActor): Promise<void>;
  /** The principal of a bearer token; undefined if it is unknown, expired or revoked, or its owner is gone. */
  identify(token: string, address?: string): Principal | undefined;
  /** The principal of the token with that id; undefined if it is no longer valid. */
  findPrincipal(id: string): Principal | undefined;
  /** All tokens; the same array until one of them changes. */
  all(): readonly { id: string; userId: string }[];
  /** Writes when the tokens were last used. */
  flush(): Promise<void>;
}

function refuseForeignSites(owner: User, resources: Resource[], sites: SiteRef[]): void {
  if (owner.sites === '*') return;
  for (const { scope, effect, targets } of resources) {
    if (effect === 'exclude' || targets === '*') continue;
    for (const target of targets) {
      const isOwn =
        scope === 'site'
          ? mayTouchSite(owner, target)
          : sites.some((site) => site.org === target && mayTouchSite(owner, site.id));
      if (!isOwn) throw forbidden(`a token for ${scope} "${target}" would exceed your own rights`);
    }
  }
}

/** MAX_WEIGHT allows a thousand tokens, or nine with a thousand targets each. */
function weightOf({ resources }: Token): number {
  return 10 + countTargets(resources);
}

export function createTokens(options: {
  file: AuditedFile<TokensFile>;
  users: Users;
  listSites: () => SiteRef[];
  now: () => Date;
  newId: () => string;
  logger: InfoLogger;
}): Tokens {
  const { file, users, listSites, now, newId, logger } = options;
  const byHash = derived(file, ({ tokens }) => new Map(tokens.map((token) => [token.sha256, token])));
  const lastUsed = createLastSeen({ write: writeUses, logger });
  // A cached principal is valid until the token or its owner changes; a change replaces the object.
  const principals = new WeakMap<Token, { owner: User; principal: Principal }>();

  function principalOf(token: Token, owner: User): Principal {
    const kept = principals.get(token);
    if (kept?.owner === owner) return kept.principal;
    const principal = toTokenPrincipal(token, owner);
    principals.set(token, { owner, principal });
    return principal;
  }

  async function writeUses(): Promise<void> {
    await file.update((value) => {
      const tokens = value.tokens.map((token) => withUse(token, lastUsed.find(token.id)));
      return [tokens.every((token, i) => token === value.tokens[i]) ? value : { ...value, tokens }, undefined];
    });
  }

  /** Undefined if the token has ended, or its owner is gone or suspended. */
  function open(token: Token | undefined, nowMs: number): Principal | undefined {
    if (!token || isExpired(token, nowMs)) return undefined;
    const owner = users.find(token.userId);
    return owner && isHeld(token, owner) ? principalOf(token, owner) : undefined;
  }

  const findToken = (id: string): Token | undefined => file.read().tokens.find((token) => token.id === id);

  function tokensOf(owner: User): Token[] {
    return file.read().tokens.filter((token) => token.userId === owner.id && isHeld(token, owner));
  }

  return {
    async create(owner, { name, permissions, resources = [], notAfter = null, actor }, by) {
      if (users.find(owner.id)?.suspended) throw forbidden('the account is suspended');
      const held = heldBy(owner.role);
      const excess = permissions.filter((permission) => !held.has(permission));
      if (excess.length > 0) throw forbidden(`a token cannot have permissions that you lack: ${excess.join(', ')}`);
      refuseForeignSites(owner, resources, listSites());
      if (notAfter !== null && Date.parse(notAfter) <= now().getTime()) {
        throw invalid([{ path: 'notAfter', message: 'must be in the future' }]);
      }
      const secret = `cms_${randomBytes(32).toString('hex')}`;
      const token: Token = {
        id: newId(),
        userId: owner.id,
        name,
        permissions,
        resources,
        sha256: toTokenHash(secret),
        masked: toMasked(secret),
        createdAt: now().toISOString(),
        notAfter,
        ...(actor === 'ai' ? { actor } : {}),
        ...(owner.tokenEpoch ? { epoch: owner.tokenEpoch } : {}),
      };
      await file.update((value) => {
        const held = value.tokens.filter((one) => one.userId === owner.id && isHeld(one, owner));
        const weight = [...held, token].reduce((sum, one) => sum + weightOf(one), 0);
        if (weight > MAX_WEIGHT) throw conflict('you have too many access tokens; revoke one first');
        return [{ ...value, tokens: [...value.tokens, token] }, undefined];
      }, by);
      return { token: secret, ...toShownToken(token) };
    },

    list: (owner) => tokensOf(owner).map((token) => toShownToken(withUse(token, lastUsed.find(token.id)))),
    listRemaining: (owner) => tokensOf(owner).map(({ id, name, masked }) => ({ id, name, masked })),

    findOwner(id) {
      const token = findToken(id);
      const owner = token && users.find(token.userId);
      return owner && isHeld(token, owner) ? owner : undefined;
    },

    async revoke(owner, id, by) {
      await file.update((value) => {
        const tokens = value.tokens.filter((token) => token.id !== id || token.userId !== owner.id);
        if (tokens.length === value.tokens.length) throw notFound(`access token ${id}`);
        return [{ ...value, tokens }, undefined];
      }, by);
      lastUsed.forget(id);
    },

    async removeAll(userId, by) {
      const removed = await file.update((value) => {
        const ids = value.tokens.filter((token) => token.userId === userId).map(({ id }) => id);
        const tokens = value.tokens.filter((token) => token.userId !== userId);
        return [ids.length === 0 ? value : { ...value, tokens }, ids];
      }, by);
      for (const id of removed) lastUsed.forget(id);
    },

    identify(secret, address) {
      if (!TOKEN_FORM.test(secret)) return undefined;
      const token = byHash().get(toTokenHash(secret));
      const nowMs = now().getTime();
      const principal = open(token, nowMs);
      if (principal && token && address !== undefined) lastUsed.note(token.id, nowMs, address);
      return principal;
    },

    findPrincipal: (id) => open(findToken(id), now().getTime()),
    all: () => file.read().tokens,
    flush: lastUsed.flush,
  };
}
