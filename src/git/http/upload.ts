// Reading: `git upload-pack` between the repository and a client, which sees branches, tags and who pushed what.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { invalid } from '../../lib/errors.ts';
import type { Ended, GitProcess, GitProgram } from '../program/program.ts';
import { findTrouble } from '../program/trouble.ts';
import { announce } from './advertisement.ts';

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
  const { stdout, ...ended } = await program.run(args, { env: toEnv(protocol) });
  const trouble = findTrouble(ended);
  if (trouble) throw trouble;
  if (ended.code !== 0) throw new Error(`git cannot read the repository: ${ended.stderr || `code ${ended.code}`}`);
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
  /** Called where git failed with its answer begun: the client sees no more than that it breaks off. */
  brokeOff(ended: Ended): void;
  /** Called when it has ended. */
  done(): void;
}

/** Resolves once there is an answer. @throws ServiceError 400 for what git does not understand, 503 where it was killed. */
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
  if (stdout.readableLength > 0) return Readable.from(toWhole(child, parts.brokeOff), { objectMode: false });
  stdout.resume();
  const ended = await child.ended;
  if (ended.code === 0) return stdout; // it wants nothing
  throw (
    findTrouble(ended) ??
    invalid(`git does not understand the request: ${ended.stderr.split('\n')[0]?.replace(/^fatal: /, '')}`)
  );
}

/** Half an answer must not look like a whole one: clients wait for the rest for ever. What git refuses it says itself. */
async function* toWhole({ stdout, ended }: GitProcess, brokeOff: UploadParts['brokeOff']): AsyncGenerator<Buffer> {
  yield* stdout;
  const end = await ended;
  if (end.code || end.signal) brokeOff(end);
  if (end.signal) throw Object.assign(new Error(`git was killed (${end.signal})`), { code: 'ECONNABORTED' });
}

function toEnv(protocol: string): Record<string, string> {
  return protocol === '' ? {} : { GIT_PROTOCOL: protocol };
}
