/** Held by the one process that has a data folder, and there since its first start: a folder that has it is a data folder. */
export const LOCK_FILE = 'lock.sqlite';
