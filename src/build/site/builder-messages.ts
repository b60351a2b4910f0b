// What a build in a process of its own and the service that waits for it say to each other.
import type { BuiltSite, Redirect } from '../build.ts';

export type BuilderNews =
  | { log: string }
  | { made: BuiltSite | Redirect[] }
  | { problems: readonly string[] }
  /** A bug, or a failure of the disk. */
  | { error: { message: string; stack: string | undefined; code: string | undefined } };

/** Asks the build to end, and to leave the old site as it was. */
export const END = 'end';
