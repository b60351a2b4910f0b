// The version of an agent, for `ETag` and `If-Match`. Pure.
import { hash } from 'node:crypto';
import { matchesIfMatch } from '../http/conditional.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Agent } from './agent.ts';

/** The first part is of the configuration alone, the second of what runs change. */
export function agentEtag({ stats, warnings, ...config }: Agent): string {
  return `"${digest(config)}-${digest([stats, warnings])}"`;
}

/** Throws 412 if the configuration has changed since the version that `If-Match` names; runs meanwhile do not count. */
export function checkAgentMatch(header: string, agent: Agent): void {
  const etag = agentEtag(agent);
  if (header === '' || matchesIfMatch(ofConfig(header), ofConfig(etag))) return;
  throw new ServiceError('precondition_failed', `agent "${agent.name}" has changed since; read it again`, {
    headers: { etag },
  });
}

const ofConfig = (tags: string): string => tags.replaceAll(/"([0-9a-f]+)-[0-9a-f]+"/g, '"$1"');

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
}
