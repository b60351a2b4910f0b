// Who writes through a tool: always an AI, which may not change what is public unless its caller has content:publish.
import type { Actor } from '../access/principal.ts';
import type { AiWriter, AiWritten } from '../curation/ai-writes.ts';
import type { ToolCaller } from './tool.ts';

export function mayPublish({ principal, draftsOnly }: ToolCaller): boolean {
  return !draftsOnly && principal.permissions.has('content:publish');
}

/** A caller who may publish needs no content:write besides. */
export function writerOf(caller: ToolCaller, model?: string, reason?: string): AiWriter {
  const { actor } = caller;
  const { draftsOnly: _, ...unlimited } = actor;
  const may = mayPublish(caller);
  return { actor: withModel(may ? unlimited : actor, model), mayPublish: may, reason };
}

/** For writes that have no place in the queue: without content:publish they are refused if they touch what is public. */
export function carefulActor(caller: ToolCaller): Actor {
  const { actor, mayPublish: may } = writerOf(caller);
  return may ? actor : { ...actor, draftsOnly: true };
}

export function toWritten(written: AiWritten): Record<string, unknown> {
  if (written.queued !== undefined) return { queued: written.queued };
  const { body, etag, skippedFields, warnings } = written;
  return { document: JSON.parse(String(body)), etag, skippedFields, warnings };
}

function withModel(actor: Actor, model: string | undefined): Actor {
  return model === undefined ? actor : { ...actor, aiModel: model };
}
