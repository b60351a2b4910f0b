// Requests of git's protocol, written by hand: those that no git client would send.
import { Agent, request } from 'node:http';
import { FLUSH, toPacket } from '../../../src/git/pkt-line.ts';
import { gitWithInput } from '../../support/store-world.ts';
import { runBytes } from '../world.ts';

export const NOTHING = '0'.repeat(40);

export interface Answer {
  status: number;
  text: string;
}

/** `at` has the port of a service; the credentials are an access token. */
export function post(
  at: { port: number; path: string; token: string },
  service: 'git-upload-pack' | 'git-receive-pack',
  body: Buffer,
  headers: Record<string, string> = {},
  agent = new Agent(),
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request({
      agent,
      timeout: 10_000,
      host: '127.0.0.1',
      port: at.port,
      method: 'POST',
      path: `${at.path}/${service}`,
      headers: { authorization: `Bearer ${at.token}`, 'content-type': `application/x-${service}-request`, ...headers },
    });
    req.on('error', reject);
    req.on('timeout', () => req.destroy(new Error('no answer')));
    req.on('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text: Buffer.concat(chunks).toString('latin1') }));
    });
    req.end(body);
  });
}

/** A push that moves refs, each from one commit to another. */
export function pushOf(commands: readonly [from: string, to: string, ref: string][], pack: Buffer): Buffer {
  const lines = commands.map(([from, to, ref], i) =>
    toPacket(`${from} ${to} ${ref}${i === 0 ? '\0report-status side-band-64k' : ''}\n`),
  );
  return Buffer.concat([...lines, FLUSH, pack]);
}

/** A pack of the objects that `to` has and `from` does not, or of just the objects named. */
export async function packOf(folder: string, what: { from?: string; to: string } | string[]): Promise<Buffer> {
  const [args, input] = Array.isArray(what)
    ? [[], what.map((oid) => `${oid}\n`).join('')]
    : [['--revs'], `${what.to}\n${what.from ? `^${what.from}\n` : ''}`];
  return runBytes(folder, ['pack-objects', '--stdout', '--quiet', ...args], input);
}

/** Writes an object with any content, unchecked; returns its id. */
export function hashObject(folder: string, type: 'commit' | 'tree' | 'tag' | 'blob', body: string): string {
  return gitWithInput(folder, body, 'hash-object', '-w', '-t', type, '--literally', '--stdin').trim();
}
