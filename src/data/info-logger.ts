import type { Logger } from '../lib/logger.ts';

// The logger that this folder needs. Must not be given a password, a token, a cookie or an e-mail address that was only
// tried.
export type InfoLogger = Pick<Logger, 'info'>;
