// What the public endpoint shows. It opens no more than the site shows strangers over REST, unless `mcpPublic` says so.
import type { McpSite, PublicReads } from './mcp-site.ts';

/** `isPublic` says what the site shows strangers over REST. Returns undefined if the endpoint is closed. */
export function findPublicReads(site: McpSite, isPublic: PublicReads): PublicReads | undefined {
  const { mcpPublic } = site.settings.read();
  if (mcpPublic === true) return () => true;
  return mcpPublic === false || !site.schema.collections.keys().some(isPublic) ? undefined : isPublic;
}

/** One warning at most: before 0.3 the setting was on unless it was turned off, and a saved form stored that. */
export function warnOfOpened(site: Pick<McpSite, 'schema' | 'settings'>, isPublic: PublicReads): readonly string[] {
  if (site.settings.read().mcpPublic !== true) return [];
  const opened = [...site.schema.collections.keys()].filter((name) => !isPublic(name));
  if (opened.length === 0) return [];
  const names = opened.slice(0, 5).join(', ') + (opened.length > 5 ? ' and others' : '');
  return [
    `the setting mcpPublic shows everybody the published documents of ${names}, which nobody reads over REST without a token; clear it if that is not wanted`,
  ];
}
