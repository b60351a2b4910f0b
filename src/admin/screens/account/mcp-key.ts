// A key for a client of the Model Context Protocol: an access token with what agents are given at first. Pure.

/** Reads everything and writes drafts, which a person publishes. */
export const DRAFTS: readonly string[] = ['content:read', 'content:draft', 'media:read'];

/** What most clients take as their configuration. */
export function toClientConfig(url: string, token: string): string {
  const colophon = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  return JSON.stringify({ mcpServers: { colophon } });
}
