// What is needed to show files, contested or not.
import type { Claims } from './claims.ts';
import type { ReadParts } from './read-changes.ts';
import type { WarnParts } from './warnings.ts';

export interface ShowParts extends ReadParts, WarnParts {
  claims: Claims;
}
