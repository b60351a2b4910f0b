// The sync server as one JavaScript file without imports of ours, for a machine that has only Node 22 or later.

/** The text of the file; run it with `node <file>.mjs`, and SYNC_SECRET in the environment. */
export type OneFileServer = () => string;
