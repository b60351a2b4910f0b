// The version of the sync server, which its health reports. Count it up with each change of what runs on the machine:
// a deploy updates a machine whose version is lower (test/sync/version.test.ts notices a change without it).
export const SYNC_VERSION = 2;
