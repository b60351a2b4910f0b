// Connects to an MCP endpoint as any client does, with the official client, and lists what it offers. The only file that
// knows the SDK's client.

export interface TriedEndpoint {
  server: string;
  tools: { name: string; title: string }[];
  resources: number;
  prompts: string[];
}

/** @throws Error whose message says what is wrong and what to do */
export async function tryEndpoint(options: { url: string; key?: string | undefined }): Promise<TriedEndpoint> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const headers = options.key === undefined ? {} : { Authorization: `Bearer ${options.key}` };
  const transport = new StreamableHTTPClientTransport(new URL(options.url), { requestInit: { headers } });
  const client = new Client({ name: 'colophon-mcp-test', version: '1.0.0' });
  try {
    // Its own type has optional members that are undefined, which ours must not be.
    await client.connect(transport as unknown as Parameters<typeof client.connect>[0]);
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const { prompts } = await client.listPrompts();
    const { title, name = '', version = '' } = client.getServerVersion() ?? {};
    return {
      server: `${title ?? name} ${version}`,
      tools: tools.map((tool) => ({ name: tool.name, title: tool.title ?? tool.name })),
      resources: resources.length,
      prompts: prompts.map((prompt) => prompt.name),
    };
  } catch (error) {
    throw new Error(`${options.url}: ${reasonOf(error, options.key !== undefined)}`, { cause: error });
  } finally {
    await client.close();
  }
}

function reasonOf(error: unknown, hasKey: boolean): string {
  const { code, message, cause } = error as { code?: unknown; message: string; cause?: unknown };
  if (code === 401) return hasKey ? 'the key is not valid' : 'a key is required; make one with colophon mcp keygen';
  if (code === 403) return 'the key does not open this site';
  if (code === 404) return 'there is no MCP endpoint; check the address, and whether the site setting mcpPublic is on';
  if (code === 429) return 'too many requests; try again in a minute';
  const { code: reason } = (cause ?? {}) as { code?: unknown };
  if (typeof reason === 'string') return `nothing answers there (${reason}); is the service running?`;
  return message;
}
