// Exit codes of the process, after sysexits.h, so that a service manager can distinguish a bug from a folder in use.

/** EX_SOFTWARE: a bug. A service manager starts the process again. */
export const EXIT_BUG = 70;
/**
 * EX_IOERR: the disk failed a sync; acknowledged changes are in the write-ahead log, and the next start restores them.
 */
export const EXIT_IO = 74;
/** EX_TEMPFAIL: another process has the data folder. */
export const EXIT_IN_USE = 75;
