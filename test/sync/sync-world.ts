// A sync server on a temporary volume, in this process or as the program, and signed requests to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createSyncServer, type SyncServerParts } from '../../src/sync/server.ts';
import { sha256Of, sign } from '../../src/sync/signature.ts';

export const SECRET = 'a secret of the tests';

export interface SyncAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests
  json: any;
}

export interface CallOptions {
  body?: string | Buffer;
  secret?: string;
  timestamp?: string;
  /** Signed instead of what is sent. */
  signed?: { method?: string; target?: string; body?: string };
  /** Says the hash of the body in advance. */
  isDeclared?: boolean;
  /** Sends the very headers of an earlier call. */
  headers?: Record<string, string>;
}

let count = 0;

/** The target with a parameter that no other has, and its signed headers. */
export function signedHeaders(method: string, target: string, options: CallOptions = {}): Record<string, string> {
  const { body = '', secret = SECRET, signed = {}, isDeclared } = options;
  const timestamp = options.timestamp ?? `${Math.floor(Date.now() / 1000)}`;
  const sha256 = sha256Of(signed.body ?? body);
  const request = { timestamp, method: signed.method ?? method, target: signed.target ?? target, sha256 };
  return {
    'x-cms-timestamp': timestamp,
    'x-cms-signature': sign(secret, request),
    ...(isDeclared ? { 'x-cms-content-sha256': sha256 } : {}),
  };
}

export function unique(target: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}n=${++count}`;
}

export async function callSync(url: string, method: string, target: string, options: CallOptions = {}) {
  const headers = options.headers ?? signedHeaders(method, target, options);
  const body = method === 'GET' || method === 'HEAD' ? null : (options.body ?? '');
  const response = await fetch(url + target, { method, headers, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) };
}

/** Signed, each time in another way. */
export async function send(
  url: string,
  method: string,
  target: string,
  options: CallOptions = {},
): Promise<SyncAnswer> {
  return callSync(url, method, method === 'GET' ? target : unique(target), options);
}

/** A whole deploy of these files on top of what is live; null removes one. Returns its id. */
export async function deploy(url: string, files: Record<string, string | null>): Promise<string> {
  const { deployId } = (await send(url, 'POST', '/_icd/deploys')).json;
  for (const [file, text] of Object.entries(files)) {
    const target = `/_icd/deploys/${deployId}/files?path=${encodeURIComponent(file)}`;
    const { status } = await (text === null ? send(url, 'DELETE', target) : send(url, 'PUT', target, { body: text }));
    if (status !== 200) throw new Error(`${file}: ${status}`);
  }
  const { status } = await send(url, 'POST', `/_icd/deploys/${deployId}/commit`);
  if (status !== 200) throw new Error(`commit: ${status}`);
  return deployId;
}

export function makeVolume(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-sync-'));
}

export async function openSync(options: Partial<Pick<SyncServerParts, 'root' | 'now' | 'slowest'>> = {}) {
  const root = options.root ?? makeVolume();
  const lines: string[] = [];
  const server = await createSyncServer({
    secret: SECRET,
    ...options,
    root,
    log: (line) => void lines.push(line),
  });
  server.http.listen(0, '127.0.0.1');
  await once(server.http, 'listening');
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    server.http.closeAllConnections();
    await server.close();
  };
  return {
    root,
    lines,
    url: `http://127.0.0.1:${(server.http.address() as AddressInfo).port}`,
    close,
    async [Symbol.asyncDispose]() {
      await close();
      if (options.root === undefined) fs.rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The program, as an operator runs it. */
export async function startProgram(
  file: string,
  { root, args = [], port = 0, variables = {} }: ProgramOptions,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [...args, file], {
    env: {
      ...process.env,
      SYNC_SECRET: SECRET,
      PORT: `${port}`,
      HOST: '127.0.0.1',
      SITE_DATA_ROOT: root,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk) => {
      text += chunk;
      const found = /(http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code, signal) => reject(new Error(`the server ended with ${code ?? signal}`)));
  });
  return { child, url };
}

export interface ProgramOptions {
  root: string;
  args?: string[];
  port?: number;
  variables?: Record<string, string>;
}
