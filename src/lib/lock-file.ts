/**
 * Locked by the one process that uses a data folder. It exists from the first start on, so its presence marks a data
 * folder.
 */
export const LOCK_FILE = 'lock.sqlite';
