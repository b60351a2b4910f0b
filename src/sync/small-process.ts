// How Node is started for the sync server, so that a machine of 256 MB has space for the page cache. A provider that
// injects the server starts it with the same.
export const SYNC_NODE_ARGS = ['--max-semi-space-size=1'];

/** The C library keeps one heap for all threads and returns what is freed. */
export const SYNC_VARIABLES = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '8192',
  MALLOC_TRIM_THRESHOLD_: '65536',
};
