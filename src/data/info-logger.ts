import type { Logger } from '../lib/logger.ts';

// What this folder needs of a log. Never given a password, a token, a cookie or an e-mail address that was only tried.
export type InfoLogger = Pick<Logger, 'info'>;
