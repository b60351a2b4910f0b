// The refusal of an approval whose document has changed since in the same fields: it has both versions of them.
import type { Data } from '../content/document.ts';
import { ServiceError } from '../lib/errors.ts';

export interface BothVersions {
  /** The fields as they are now; null if the document is gone. */
  current: Data | null;
  /** The same fields as the item has them. */
  proposed: Data;
  /** As the model saw them. */
  base: Data;
}

export class VersionsConflict extends ServiceError {
  readonly versions: BothVersions;

  constructor(message: string, fields: readonly string[], versions: BothVersions) {
    super('conflict', message, { details: fields.map((field) => ({ path: `data.${field}`, message: 'has changed' })) });
    this.name = 'VersionsConflict';
    this.versions = versions;
  }
}
