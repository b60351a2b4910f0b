// Calls of one tool over MCP, each a request that stands for itself, in both eras of the protocol, compared with GET of
// the same document through the same service.
import autocannon from 'autocannon';
import { alternate, type Bench } from './bench.ts';
import { makePlace, removePlace } from './place.ts';
import { startService } from './service.ts';
import { type BenchRow, toRow } from './table.ts';

const CONNECTIONS = 16;
const COUNT = 10_000;
const MAX_SECONDS = 5;
const WARM_UP_SECONDS = 1;
const PER_SECOND = 200;
const SLUG = 'doc-7';
const CALL = { name: 'get_document', arguments: { collection: 'posts', slug: SLUG } };

const ERAS: { version: string; headers: Record<string, string>; params: object }[] = [
  { version: '2025-11-25', headers: {}, params: CALL },
  {
    version: '2026-07-28',
    headers: { 'mcp-method': 'tools/call', 'mcp-name': CALL.name },
    params: {
      ...CALL,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
];

export async function* mcp(bench: Bench): AsyncGenerator<BenchRow> {
  const place = await makePlace(bench, 'mcp', { count: COUNT, sharded: false });
  bench.progress(`open ${COUNT} documents`);
  const service = await startService(place);
  const seconds = Math.min(bench.seconds, MAX_SECONDS);
  const measure = async (request: autocannon.Options, duration: number): Promise<number> => {
    const found = await autocannon({ ...request, connections: CONNECTIONS, duration });
    if (found.non2xx || found.errors) throw new Error(`${found.non2xx} refusals, ${found.errors} errors`);
    return found['2xx'] / found.duration;
  };
  try {
    const rest = { url: `${service.url}/api/cms/posts/${SLUG}`, headers: service.headers };
    for (const { version, headers, params } of ERAS) {
      const call = {
        url: `${service.url}/api/mcp/admin`,
        method: 'POST' as const,
        headers: {
          ...{ ...service.headers, ...headers },
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': version,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      };
      await checkAnswer(call);
      await measure(call, WARM_UP_SECONDS);
      const found = await alternate(bench, { mcp: () => measure(call, seconds), rest: () => measure(rest, seconds) });
      yield toRow({
        figure: `get_document over MCP ${version}, ${COUNT} documents`,
        unit: '/s',
        values: found.mcp,
        reference: 'GET the same document',
        references: found.rest,
        bars: [{ of: 'figure', atLeast: PER_SECOND }],
      });
    }
  } finally {
    await service.kill();
  }
  removePlace(place);
}

/** A refusal of a tool is a 200 too. */
async function checkAnswer({
  url,
  ...init
}: {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}) {
  const { result } = (await (await fetch(url, init)).json()) as {
    result?: { structuredContent?: { document?: { slug?: string } } };
  };
  if (result?.structuredContent?.document?.slug !== SLUG)
    throw new Error('get_document does not answer with the document');
}
