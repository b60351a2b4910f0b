// Who pushes, for the checks and the records of a push.
import type { Permission } from '../../access/principal.ts';

/** The pusher and their permissions; the commits name their own authors. */
export interface Pusher {
  requestId: string;
  userId: string | null;
  tokenId: string | null;
  name: string;
  email: string;
  /** The client's address. */
  address: string;
  /** Whose share of the slots the push takes. */
  caller: string;
  permissions: ReadonlySet<Permission>;
  /** Whether the token is an agent's, which can unlock nothing. */
  isAgent: boolean;
  at: Date;
  /** Checks the credentials once more, before anything moves. @throws ServiceError 401, 403 */
  again?(): void;
}
