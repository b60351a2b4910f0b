// A world whose queue models fill, as chat, MCP and agents do.
import { withContained } from '../../src/access/permissions.ts';
import { ANONYMOUS, type Permission, type Principal } from '../../src/access/principal.ts';
import type { AiWriter } from '../../src/curation/ai-writes.ts';
import type { ItemEditor } from '../../src/curation/service.ts';
import type { World } from '../support/world.ts';

export const QUEUE = '/api/cms/curation';

export function writer(change: Partial<AiWriter> = {}): AiWriter {
  const actor = { kind: 'ai', userId: 'u1', name: 'Ada', email: 'ada@example.org', aiModel: 'model-1' } as const;
  return { actor, mayPublish: false, ...change };
}

/** Who decides, not over HTTP. */
export function editor(permissions: Permission[], kind: 'user' | 'ai' = 'user'): ItemEditor {
  const principal: Principal = {
    ...{ ...ANONYMOUS, kind: 'session', userId: 'u2', email: 'bob@example.org', name: 'Bob' },
    permissions: withContained(permissions),
  };
  return { principal, actor: { kind, userId: 'u2', name: 'Bob', email: 'bob@example.org' } };
}

export async function proposeNew(world: World, data: object = { title: 'New', body: 'Text' }): Promise<string> {
  const { aiWrites } = world.site().curation;
  return (await aiWrites.propose('posts', undefined, data as Record<string, unknown>, writer())).queued;
}

/** A published document, and an item that changes it. */
export async function proposeChange(world: World, data: object, stored: object = {}): Promise<string> {
  const document = { slug: 'hello', status: 'published', data: { title: 'Hello', body: 'Before', ...stored } };
  const made = await world.admin.post('/api/cms/posts', document);
  if (made.status >= 300) throw new Error(made.text);
  const { aiWrites } = world.site().curation;
  const written = await aiWrites.update('posts', 'hello', { data: data as Record<string, unknown> }, writer());
  if (written.queued === undefined) throw new Error('it was written');
  return written.queued;
}

export const path = (id: string, action = ''): string => `${QUEUE}/${id}${action && `/${action}`}`;
