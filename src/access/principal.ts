// Who a request acts as. Mostly types: http, content and the command line share them without knowing how access works.

export const PERMISSIONS = [
  'content:read',
  'content:write',
  'content:publish',
  'content:draft',
  'content:read-published',
  'repository:write',
  'media:read',
  'media:write',
  'media:delete',
  'deploy:trigger',
  'deploy:read',
  'forms:read',
  'forms:write',
  'team:manage',
  'tokens:manage',
  'sites:read',
  'sites:write',
  'org:settings:read',
  'org:settings:write',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['admin', 'editor', 'author', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export interface SiteRef {
  id: string;
  org: string;
}

/** Who a request acts as and what they may do. `anonymous` and `service` have no user and no permissions. */
export interface Principal {
  kind: 'anonymous' | 'session' | 'token' | 'service';
  /** The user; for an access token its owner. */
  userId: string | null;
  email: string;
  name: string;
  role: Role | null;
  tokenId: string | null;
  /** When the token was made, ISO 8601. */
  madeAt?: string;
  /** True for an access token that an agent uses (`actor: "ai"` of the token's record). */
  isAgent?: boolean;
  /** The agent's name: that of its token. */
  aiModel?: string;
  /** Contained permissions included (permissions.ts). */
  permissions: ReadonlySet<Permission>;
  /** Why the principal may do nothing for now, as a sentence that says what to do about it. */
  heldBack?: string;
  /** The session's last active site; null if it has none. */
  lastActiveSite: string | null;
  mayTouch(site: SiteRef): boolean;
  /** True if the principal has access to every site, including sites that are added later. */
  allSites?: boolean;
}

/** The author of a change. `user` and the others follow the contract's field-lock rules (interface.md, FieldMeta). */
export interface Actor {
  kind: 'user' | 'ai' | 'import' | 'system';
  /** Undefined if no user makes the change (the scheduler, the command line). */
  userId?: string;
  name: string;
  email: string;
  /** The access token that was used; named in the commit's `Token:` trailer. */
  tokenId?: string;
  /** The model, for `ai`. */
  aiModel?: string;
  /** The agent whose run it is, for `ai`. */
  agentName?: string;
  /** For `ai`: a person approved, confirmed or requested just this change, and is its author in the commit. */
  isDecided?: boolean;
  /** True without content:write: this actor may not change documents that are public or would become so. */
  draftsOnly?: boolean;
  /** Fields of a write of an `ai` that a person wrote: locks do not hold for them, and nothing marks them as generated. */
  personFields?: readonly string[];
}

export const ANONYMOUS: Principal = {
  kind: 'anonymous',
  userId: null,
  email: '',
  name: '',
  role: null,
  tokenId: null,
  permissions: new Set(),
  lastActiveSite: null,
  mayTouch: () => true,
};
