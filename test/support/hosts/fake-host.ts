// A fake host on 127.0.0.1 that answers as a real one does, and can be disturbed. Each host is one file here that says
// what it accepts; the contract test runs the same deploys against all of them.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DeployProvider, ProviderContext } from '../../../src/deploy/providers/provider.ts';
import type { SiteSettings } from '../../../src/settings/settings.ts';

/** A row of the contract test. */
export interface HostCase {
  provider: DeployProvider;
  /** Paths that the provider refuses before the first request. */
  badNames: readonly string[];
  /** More than the host takes, if it has a limit. */
  tooLargeBytes?: number;
  tooManyFiles?: number;
  /** True if `failNext` makes a publication fail. */
  canFail?: boolean;
  /** Several files are under way at once: those of a deploy that was cut off may have arrived, and are sent once more. */
  sendsAtOnce?: boolean;
  /** The host knows files by their path alone: a content of two names is sent twice. */
  sendsByPath?: boolean;
  start(): Promise<FakeHost>;
}

export interface FakeHost extends AsyncDisposable {
  settings: Partial<SiteSettings>;
  /** What the provider needs beside the settings. */
  parts?: Partial<ProviderContext>;
  /** The token, and whatever else no message may show. */
  secrets: readonly string[];
  /** `GET /path?query`, in order. */
  requests: string[];
  /** The content of each file that arrived, one entry for each time. */
  received: string[];
  /** What people see: text by path; undefined if nothing was ever published. */
  live(): Record<string, string> | undefined;
  /** The newest preview. */
  preview?(): Record<string, string> | undefined;
  /** How many publications were made, previews and those that failed among them. */
  publications(): number;
  /** Another client publishes something else. */
  changeByOther(): void | Promise<void>;
  /** The next publication fails at the host, after all files arrived. */
  failNext?(): void;
  disturb: Disturbance[];
  /** Called as each request arrives. */
  onRequest: (request: HostRequestSeen) => void;
}

export interface Disturbance {
  /** Begins with the request of this number, counted from now; 0 by default. */
  after?: number;
  /** How many requests it meets; one by default. */
  times?: number;
  how: Answer | 'hang' | 'cut' | 'cut after' | 'html';
}

export interface HostRequestSeen {
  method: string;
  /** Without the query, as it came. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Answer {
  status: number;
  json?: unknown;
  /** In place of `json`. */
  body?: Buffer;
  headers?: Record<string, string>;
}

export interface FakeServer extends Pick<FakeHost, 'requests' | 'disturb' | 'onRequest'>, AsyncDisposable {
  url: string;
}

export async function startFakeServer(
  answer: (request: HostRequestSeen) => Answer | Promise<Answer>,
): Promise<FakeServer> {
  const server = createServer((req, res) => {
    void handle(req, res).catch((error: Error) => res.destroy(error));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    // A body that is cut off never becomes a request.
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const url = new URL(req.url ?? '/', 'http://host');
    const [path = ''] = (req.url ?? '').split('?');
    const request = {
      method: req.method ?? '',
      path,
      query: url.searchParams,
      headers: req.headers,
      body: Buffer.concat(chunks),
    };
    fake.requests.push(`${req.method} ${req.url}`);
    fake.onRequest(request);
    const how = nextDisturbance(fake.disturb);
    if (how === 'hang') return;
    if (how === 'cut') return void res.destroy();
    if (how === 'html') return void res.writeHead(200, { 'content-type': 'text/html' }).end('<html>\n<p>Bad gateway');
    const { status, json, body, headers } = how === undefined || how === 'cut after' ? await answer(request) : how;
    if (how === 'cut after') return void res.destroy();
    res
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(body ?? (json === undefined ? '' : JSON.stringify(json)));
  }

  const fake: FakeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    disturb: [],
    onRequest: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return fake;
}

function nextDisturbance(all: Disturbance[]): Disturbance['how'] | undefined {
  const [first] = all;
  if (!first) return undefined;
  if ((first.after ?? 0) > 0) {
    first.after = (first.after ?? 0) - 1;
    return undefined;
  }
  first.times = (first.times ?? 1) - 1;
  if (first.times === 0) all.shift();
  return first.how;
}

/** Parses the body, or answers as hosts answer to what is not JSON. */
export function jsonOf(request: HostRequestSeen): Record<string, unknown> {
  return JSON.parse(request.body.toString()) as Record<string, unknown>;
}
