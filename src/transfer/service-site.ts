// A site whose content service is open in this process, for import and export.
import type { Actor } from '../access/principal.ts';
import type { ContentService } from '../content/api.ts';
import type { TransferConfig } from './candidate.ts';
import type { ImportTarget } from './import-folder.ts';
import type { ExportSource } from './write-folder.ts';

type Content = Pick<ContentService, 'stored' | 'each' | 'importDocument' | 'importAll'>;

/** `actor` is the author of the changes that an import makes. */
export function createServiceSite(content: Content, config: TransferConfig, actor: Actor): ImportTarget & ExportSource {
  return {
    config,
    find: async (collection, slug) => content.stored(collection, { slug }),
    importDocument: (collection, input, options) => content.importDocument(collection, input, actor, options),
    importAll: (documents, options) => content.importAll(documents, actor, options),
    each: (collection) => content.each(collection),
  };
}
