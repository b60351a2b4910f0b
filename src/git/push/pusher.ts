// The author of a push, as far as its checks and its records need one.
import type { Permission } from '../../access/principal.ts';

/** Who pushes, and what they may: the commits name their own authors. */
export interface Pusher {
  requestId: string;
  userId: string | null;
  tokenId: string | null;
  name: string;
  email: string;
  /** The client's. */
  address: string;
  permissions: ReadonlySet<Permission>;
  /** An agent has the token: it unlocks nothing. */
  isAgent: boolean;
  at: Date;
}
