// The version of an agent, for `ETag` and `If-Match`. Pure.
import { checkVersion, toDigest, type VersionMatch } from '../lib/version-tag.ts';
import type { Agent } from './agent.ts';

/** The first part is of the configuration alone, the second of what runs change. */
export function agentEtag({ stats, warnings, ...config }: Agent): string {
  return `"${toDigest(config)}-${toDigest([stats, warnings])}"`;
}

/** The tags without what runs change: a save means the configuration. */
export function toConfigTags(tags: string): string {
  return tags.replaceAll(/"([0-9a-f]+)-[0-9a-f]+"/g, '"$1"');
}

/** @throws ServiceError 412 with the present version */
export function checkAgentMatch(ifMatch: VersionMatch | undefined, agent: Agent): void {
  checkVersion(ifMatch, agentEtag(agent), `agent "${agent.name}"`);
}
