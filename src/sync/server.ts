// The sync server: a site at every path, and the API for its deploys below `/_icd/`. Puts the parts together; what they
// do is theirs.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isCode } from '../lib/error-code.ts';
import { createBoundedBytes } from '../lib/memory/bounded-bytes.ts';
import { type PaceLimit, SLOWEST } from '../lib/time/pace.ts';
import { API_ROOT, createSyncApi } from './api.ts';
import { createAuthenticator } from './authenticate.ts';
import { openDeploys } from './deploys/deploys.ts';
import { toLayout } from './disk/layout.ts';
import { SyncRefusal } from './refusal.ts';
import { openDeployedSite } from './site/deployed-site.ts';
import { toTextAnswer } from './site/prepared-answer.ts';
import { SMALL_BYTES, send } from './site/send.ts';
import type { SyncSite } from './site/site.ts';
import { openUsedSignatures } from './used-signatures.ts';

export interface SyncServerParts {
  secret: string;
  /** The volume. Made if it does not exist. */
  root: string;
  now?: () => Date;
  /** Clients that send less than this are ended. */
  slowest?: PaceLimit;
  log(line: string): void;
}

export interface SyncServer {
  http: Server;
  /** Ends connections and waits for what is under way. */
  close(): Promise<void>;
}

const CACHE_BYTES = 32 << 20;
/** A tree may be replaced while a request looks for its file; more than once in a row is a file that is missing. */
const ATTEMPTS = 3;
const GRACE_MS = 3000;
const IDLE_CHECK_MS = 20;
const HEADERS_MS = 10_000;
/** Neither a byte came nor one went. */
const IDLE_MS = 60_000;

/** @throws an Error that says what to do, if the volume is not one of ours */
export async function createSyncServer({
  secret,
  root,
  now = () => new Date(),
  slowest = SLOWEST,
  log,
}: SyncServerParts): Promise<SyncServer> {
  const layout = toLayout(root);
  const small = createBoundedBytes({ eachBytes: SMALL_BYTES, allBytes: CACHE_BYTES });
  const deploys = await openDeploys<SyncSite>({
    layout,
    now,
    prepare: (folder, files) => openDeployedSite({ folder, files, small, log }),
    log,
  });
  const used = await openUsedSignatures(layout.signatures, now);
  const api = createSyncApi({
    deploys,
    authenticator: createAuthenticator({ secret, used, now }),
    uploads: layout.uploads,
    slowest,
  });

  async function answerApi(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
    const at = url.indexOf('?');
    try {
      const { status, body } = await api(request, at < 0 ? url : url.slice(0, at), at < 0 ? '' : url.slice(at + 1));
      sendJson(request, response, status, body);
    } catch (error) {
      const { status, message, headers } = toRefusal(error, log);
      sendJson(request, response, status, { error: message }, headers);
    }
  }

  const http = createServer({ connectionsCheckingInterval: HEADERS_MS / 2 }, (request, response) => {
    const { url = '' } = request;
    const isApi = url.startsWith(API_ROOT);
    (isApi ? answerApi(request, response, url) : serveSite(request, response, () => deploys.live()?.site)).catch(
      (error: Error) => giveUp(response, error, log),
    );
  });
  limitTimes(http);

  return {
    http,
    async close() {
      await endConnections(http);
      await deploys.close();
      await used.close();
    },
  };
}

/** The limits on slow clients. A long body may take its time, as long as it moves. */
export function limitTimes(http: Server): void {
  http.headersTimeout = HEADERS_MS;
  http.requestTimeout = 0;
  http.timeout = IDLE_MS;
  http.keepAliveTimeout = IDLE_MS;
}

/** Lets answers that are under way end, for a moment. */
export async function endConnections(http: Server): Promise<void> {
  const rest = setTimeout(() => http.closeAllConnections(), GRACE_MS);
  // A client that keeps its connection would keep the server.
  const idle = setInterval(() => http.closeIdleConnections(), IDLE_CHECK_MS);
  if (http.listening) await new Promise((resolve) => http.close(resolve));
  clearTimeout(rest);
  clearInterval(idle);
}

/** Asks the site that is live at that moment, and again if it was replaced meanwhile. */
export async function serveSite(
  request: IncomingMessage,
  response: ServerResponse,
  live: () => SyncSite | undefined,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const site = live();
    if (!site) return sendText(request, response, 404, 'There is no site here yet\n');
    if ((await site.answer(request, response)) === 'sent') return;
  }
  return sendText(request, response, 500, 'The file cannot be read\n');
}

async function sendText(request: IncomingMessage, response: ServerResponse, status: number, text: string) {
  await send(request, response, toTextAnswer(status, text), NO_FILES);
}

/** For answers that have no file. */
const NO_FILES = {
  tree: { find: () => undefined, fileAt: (file: string) => file },
  small: createBoundedBytes({ eachBytes: 0, allBytes: 0 }),
};

function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: object,
  more: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    // The rest of a body that nobody reads would be taken for the next request.
    ...(request.complete ? {} : { connection: 'close' }),
    ...more,
  });
  response.end(text);
}

function toRefusal(error: unknown, log: (line: string) => void): SyncRefusal {
  if (error instanceof SyncRefusal) return error;
  if (isCode(error, 'ENOSPC', 'EDQUOT')) return new SyncRefusal(507, 'the volume is full');
  if (isCode(error, 'ENAMETOOLONG')) return new SyncRefusal(400, 'the path is too long for the volume');
  if (!isCode(error, 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE')) log((error as Error).stack ?? String(error));
  return new SyncRefusal(500, 'the server failed; its log says why');
}

/** An answer that is cut off ends the connection, so that it does not look like a whole one. */
export function giveUp(response: ServerResponse, error: Error, log: (line: string) => void): void {
  if (!isCode(error, 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE')) log(error.stack ?? error.message);
  if (response.headersSent) response.destroy(error);
  else response.writeHead(500, { 'content-length': 0 }).end();
}
