// What the tools need of a site. Whatever is undefined has no tools: nothing is offered that does not work.
import type { Actor, Principal } from '../access/principal.ts';
import type { Audit } from '../audit/entry.ts';
import type { ContentService } from '../content/api.ts';
import type { AiWrites } from '../curation/ai-writes.ts';
import type { CurationItem } from '../curation/item.ts';
import type { Deploys } from '../deploy/service.ts';
import type { FormsService } from '../forms/service.ts';
import type { HistoryService } from '../history/service.ts';
import type { VersionMatch } from '../lib/version-tag.ts';
import type { MediaService } from '../media/service.ts';
import type { SiteSchema } from '../schema/collection.ts';
import type { SearchService } from '../search/service.ts';

/** Who decides about an item of the queue. */
export interface ItemDecider {
  principal: Principal;
  actor: Actor;
  ifMatch?: VersionMatch;
}

/** The curation queue, as far as tools use it. Answers are JSON objects. */
export interface ToolCuration {
  list(query: { status?: string; limit: number; offset: number }): Promise<{ items: CurationItem[]; total: number }>;
  /** @throws ServiceError 404 */
  get(id: string): Promise<CurationItem>;
  etagOf(item: CurationItem): string;
  approve(id: string, choice: { asDraft?: boolean; alternative?: number }, by: ItemDecider): Promise<object>;
  reject(id: string, choice: { feedback?: string }, by: ItemDecider): Promise<object>;
}

export interface ToolSite {
  id: string;
  audit: Audit;
  config: { defaultLocale?: string | undefined; locales: readonly string[] };
  schema: SiteSchema;
  content: ContentService;
  media: MediaService;
  search: SearchService;
  history: HistoryService;
  deploys: Pick<Deploys, 'list' | 'trigger'>;
  forms: Pick<FormsService, 'list' | 'find' | 'submissions'>;
  curation: ToolCuration;
  /** The writes of models, which queue what may not become public. */
  aiWrites: AiWrites;
}

export interface ToolParts {
  site: ToolSite;
  /** The address at which a media file of the site is served. */
  mediaUrl(slug: string): string;
}
