// What the public endpoint shows. It opens no more than the site shows strangers over REST, unless `mcpPublic` says so.
import type { McpSite, PublicReads } from './mcp-site.ts';

/** `isPublic` says what the site shows strangers over REST. Returns undefined if the endpoint is closed. */
export function findPublicReads(site: McpSite, isPublic: PublicReads): PublicReads | undefined {
  const { mcpPublic } = site.settings.read();
  if (mcpPublic === true) return () => true;
  return mcpPublic === false || !site.schema.collections.keys().some(isPublic) ? undefined : isPublic;
}
