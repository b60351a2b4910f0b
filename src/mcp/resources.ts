// Documents and schemas as resources: cms://<collection>/<slug> and cms://schema/<collection>.
import { listReadable } from '../tools/documents-read.ts';
import type { McpSession } from './mcp-site.ts';

export interface ShownResource {
  uri: string;
  name: string;
  title: string;
  mimeType: string;
}

const JSON_TYPE = 'application/json';
const SCHEMA = 'schema';

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'cms://schema/{collection}',
    name: 'schema',
    title: 'Schema of a collection',
    description: 'JSON Schema of the data of its documents',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: 'cms://{collection}/{slug}',
    name: 'document',
    title: 'Document',
    description: 'A document with all of its data',
    mimeType: JSON_TYPE,
  },
];

/** The schemas; documents are found by the tools, and read by their address. */
export function listResources({ site, principal, mayRead }: McpSession): ShownResource[] {
  if (!principal.permissions.has('content:read-published')) return [];
  return listReadable(site, { mayRead }).map(({ name, label }) => ({
    uri: `cms://${SCHEMA}/${encodeURIComponent(name)}`,
    name: `${SCHEMA}-${name}`,
    title: `Schema of ${label}`,
    mimeType: JSON_TYPE,
  }));
}

/** The tool that reads the resource, with its input; undefined if the address is not one of ours. */
export function toReading(uri: string): { tool: string; input: Record<string, string> } | undefined {
  const [, first = '', second = ''] = /^cms:\/\/([^/?#]+)\/([^/?#]+)$/.exec(uri) ?? [];
  const [collection, slug] = [decode(first), decode(second)];
  if (!collection || !slug) return undefined;
  if (collection === SCHEMA) return { tool: 'get_schema', input: { collection: slug } };
  return { tool: 'get_document', input: { collection, slug } };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The resource's text: the JSON of the schema or the document alone. */
export function toResourceText(tool: string, value: Record<string, unknown>): string {
  return JSON.stringify(tool === 'get_schema' ? value.jsonSchema : value.document);
}
