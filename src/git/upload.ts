// Reading: `git upload-pack` between the repository and a client, which sees branches, tags and who pushed what.
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { invalid } from '../lib/errors.ts';
import { announce } from './advertisement.ts';
import type { GitProgram } from './program.ts';

/** The last that matches decides. */
const SHOWN = ['refs', '!refs/heads', '!refs/tags', '!refs/notes/colophon'].flatMap((ref) => [
  '-c',
  `transfer.hideRefs=${ref}`,
]);

function uploadPack(repository: string, ...more: string[]): string[] {
  return [...SHOWN, 'upload-pack', '--stateless-rpc', ...more, repository];
}

export async function advertiseUpload(program: GitProgram, repository: string, protocol: string): Promise<Buffer> {
  const args = uploadPack(repository, '--advertise-refs');
  const { code, stderr, stdout } = await program.run(args, { env: toEnv(protocol) });
  if (code !== 0) throw new Error(`git cannot read the repository: ${stderr || 'it was ended'}`);
  return protocol.includes('version=2') ? stdout : Buffer.concat([announce('git-upload-pack'), stdout]);
}

export interface UploadParts {
  program: GitProgram;
  repository: string;
  request: Buffer;
  protocol: string;
  /** Ends it: the client has left. */
  signal: AbortSignal;
  idleMs: number;
  /** Called when it has ended. */
  done(): void;
}

/** Resolves once there is an answer. @throws ServiceError 400 for a request that git does not understand. */
export async function startUpload(parts: UploadParts): Promise<Readable> {
  const { program, request, signal, done } = parts;
  const child = await program
    .start(uploadPack(parts.repository), { env: toEnv(parts.protocol), signal })
    .catch((error) => {
      done();
      throw error;
    });
  const { stdout } = child;
  void child.ended.then(done);
  child.stdin.end(request);
  // Neither an answer that git is slow to make nor one that the client is slow to read holds its place for ever.
  const idle = Object.assign(new Error('nothing moved between git and its client'), { code: 'ECONNABORTED' });
  stdout.setTimeout(parts.idleMs, () => stdout.destroy(idle));
  await Promise.race([once(stdout, 'readable', { signal }), child.ended]);
  if (stdout.readableLength > 0) return stdout;
  stdout.resume();
  const { code, stderr } = await child.ended;
  if (code === 0) return stdout; // it wants nothing
  throw invalid(`git does not understand the request: ${stderr.split('\n')[0]?.replace(/^fatal: /, '')}`);
}

function toEnv(protocol: string): Record<string, string> {
  return protocol === '' ? {} : { GIT_PROTOCOL: protocol };
}
