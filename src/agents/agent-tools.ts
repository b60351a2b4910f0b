// The tools of an agent's run: reading the site's content, schema and media, and writing the agent's own collections.
// With autonomy `draft` every write is an item of the queue; with `full` it is published, as far as the rights go.
import type { AiTool } from '../ai/ai.ts';
import type { AiWriter, AiWrites, AiWritten } from '../curation/ai-writes.ts';
import { forbidden } from '../lib/errors.ts';
import { toAiTools } from '../tools/ai-tools.ts';
import { createTools } from '../tools/registry.ts';
import type { ToolCaller, ToolEffect } from '../tools/tool.ts';
import type { ToolParts } from '../tools/tool-site.ts';
import type { AgentBody } from './agent.ts';

const OFFERED = new Set([
  ...['list_collections', 'get_schema', 'list_documents', 'get_document', 'search', 'list_media', 'get_history'],
  ...['create_document', 'update_document', 'propose_change'],
]);

/** Nobody is there to confirm the rest: an agent publishes what it writes into its own collections, and that is all. */
const EFFECTS: ReadonlySet<ToolEffect> = new Set(['none', 'create', 'update', 'propose']);

export interface AgentToolParts {
  tools: ToolParts;
  agent: { id: string; config: AgentBody };
  writes: AiWrites;
  caller: Omit<ToolCaller, 'signal'>;
  /** Called with the document of each write that was not queued. */
  onWritten(documentId: string): void;
}

export function createAgentTools({ tools, agent, writes, caller, onWritten }: AgentToolParts): AiTool[] {
  const aiWrites = limitWrites(writes, agent, onWritten);
  const own = createTools({ ...tools, site: { ...tools.site, aiWrites } });
  return toAiTools(own, caller, { isOffered: ({ name, effect }) => OFFERED.has(name) && EFFECTS.has(effect) });
}

function limitWrites(
  writes: AiWrites,
  { id, config }: AgentToolParts['agent'],
  onWritten: AgentToolParts['onWritten'],
): AiWrites {
  const { name, autonomy, collections } = config;
  const asAgent = (writer: AiWriter): AiWriter => ({ ...writer, agent: { id, name } });

  function check(collection: string): void {
    if (collections.includes(collection)) return;
    throw forbidden(`agent "${name}" may not write "${collection}"; it may write ${collections.join(', ')}`);
  }

  function noted(written: AiWritten): AiWritten {
    if (written.queued === undefined) onWritten((JSON.parse(String(written.body)) as { id: string }).id);
    return written;
  }

  return {
    async create(collection, input, writer, options) {
      check(collection);
      const by = asAgent(writer);
      if (autonomy === 'draft') return writes.proposeInput(collection, undefined, input, by);
      return noted(await writes.create(collection, { ...input, status: 'published' }, by, options));
    },
    async update(collection, slug, input, writer, options) {
      check(collection);
      const by = asAgent(writer);
      if (autonomy === 'draft') return writes.proposeInput(collection, { slug }, input, by, options);
      return noted(await writes.update(collection, slug, { ...input, status: 'published' }, by, options));
    },
    async propose(collection, target, data, writer, alternatives) {
      check(collection);
      return writes.propose(collection, target, data, asAgent(writer), alternatives);
    },
    async proposeInput(collection, target, input, writer, options) {
      check(collection);
      return writes.proposeInput(collection, target, input, asAgent(writer), options);
    },
  };
}
