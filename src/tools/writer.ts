// Who writes through a tool: always an AI, which may not change what is public unless its caller has content:publish.
import type { Actor } from '../access/principal.ts';
import type { AiWriter, AiWritten } from '../curation/ai-writes.ts';
import type { ToolCaller } from './tool.ts';

/** A caller who may publish needs no content:write besides. */
export function writerOf({ actor, principal }: ToolCaller, model?: string, reason?: string): AiWriter {
  const mayPublish = principal.permissions.has('content:publish');
  const { draftsOnly: _, ...unlimited } = actor;
  return { actor: withModel(mayPublish ? unlimited : actor, model), mayPublish, reason };
}

/** For writes that have no place in the queue: without content:publish they are refused if they touch what is public. */
export function carefulActor(caller: ToolCaller): Actor {
  const { actor, mayPublish } = writerOf(caller);
  return mayPublish ? actor : { ...actor, draftsOnly: true };
}

export function toWritten(written: AiWritten): Record<string, unknown> {
  if (written.queued !== undefined) return { queued: written.queued };
  const { body, etag, skippedFields, warnings } = written;
  return { document: JSON.parse(String(body)), etag, skippedFields, warnings };
}

function withModel(actor: Actor, model: string | undefined): Actor {
  return model === undefined ? actor : { ...actor, aiModel: model };
}
