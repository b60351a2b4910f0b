// The version of an agent, for `ETag` and `If-Match`. Pure.
import { hash } from 'node:crypto';
import { ServiceError } from '../lib/errors.ts';
import type { Agent } from './agent.ts';

/** Whether a caller means the version with this tag. */
export type AgentMatch = (etag: string) => boolean;

/** The first part is of the configuration alone, the second of what runs change. */
export function agentEtag({ stats, warnings, ...config }: Agent): string {
  return `"${digest(config)}-${digest([stats, warnings])}"`;
}

/** The tags without what runs change: a save means the configuration. */
export function toConfigTags(tags: string): string {
  return tags.replaceAll(/"([0-9a-f]+)-[0-9a-f]+"/g, '"$1"');
}

/** @throws ServiceError 412 with the present version */
export function checkAgentMatch(ifMatch: AgentMatch | undefined, agent: Agent): void {
  const etag = agentEtag(agent);
  if (!ifMatch || ifMatch(etag)) return;
  throw new ServiceError('precondition_failed', `agent "${agent.name}" has changed since; read it again`, {
    headers: { etag },
  });
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
}
