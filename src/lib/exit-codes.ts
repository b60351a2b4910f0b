// What the process ends with, after sysexits.h, so that a service manager can tell a bug from a full house.

/** EX_SOFTWARE: a bug. A service manager starts the process again. */
export const EXIT_BUG = 70;
/** EX_IOERR: the disk failed a sync; what was acknowledged is in the log and is brought back by the next start. */
export const EXIT_IO = 74;
/** EX_TEMPFAIL: another process has the data folder. */
export const EXIT_IN_USE = 75;
