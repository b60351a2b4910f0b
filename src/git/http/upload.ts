// Reading: `git upload-pack` between the repository and a client, which sees branches, tags and the notes on pushes.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { invalid } from '../../lib/errors.ts';
import type { Ended, GitProcess, GitProgram } from '../program/program.ts';
import { findTrouble } from '../program/trouble.ts';
import { announce } from './advertisement.ts';

/** The last match decides. */
const SHOWN = ['refs', '!refs/heads', '!refs/tags', '!refs/notes/colophon'].flatMap((ref) => [
  '-c',
  `transfer.hideRefs=${ref}`,
]);

/** Partial clones without the contents of files, or with small ones; other filters cost as much as a walk of all trees. */
const FILTERS = [
  'uploadpack.allowFilter=true',
  'uploadpackfilter.allow=false',
  'uploadpackfilter.blob:none.allow=true',
  'uploadpackfilter.blob:limit.allow=true',
  'uploadpackfilter.tree.allow=true',
  'uploadpackfilter.tree.maxDepth=1',
].flatMap((setting) => ['-c', setting]);

function uploadPack(repository: string, ...more: string[]): string[] {
  return [...SHOWN, ...FILTERS, 'upload-pack', '--stateless-rpc', ...more, repository];
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
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  idleMs: number;
  /** Called if git failed after its answer had begun: the client sees only that the answer breaks off. */
  brokeOff(ended: Ended): void;
  /** Called when git has ended. */
  done(): void;
}

/**
 * Resolves when the answer begins. @throws ServiceError 400 if git does not understand the request, 503 if it was
 * killed.
 */
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
  // Neither a slow git nor a client that reads slowly holds its slot for ever.
  const idle = Object.assign(new Error('no data moved between git and its client'), { code: 'ECONNABORTED' });
  stdout.setTimeout(parts.idleMs, () => stdout.destroy(idle));
  await Promise.race([once(stdout, 'readable', { signal }), child.ended]);
  if (stdout.readableLength > 0) return Readable.from(toWhole(child, parts.brokeOff), { objectMode: false });
  stdout.resume();
  const ended = await child.ended;
  if (ended.code === 0) return stdout; // the client wants nothing
  throw (
    findTrouble(ended) ??
    invalid(`git does not understand the request: ${ended.stderr.split('\n')[0]?.replace(/^fatal: /, '')}`)
  );
}

/** Half an answer must not look like a whole one: clients wait for the rest for ever. Git reports its own refusals. */
async function* toWhole({ stdout, ended }: GitProcess, brokeOff: UploadParts['brokeOff']): AsyncGenerator<Buffer> {
  yield* stdout;
  const end = await ended;
  if (end.code || end.signal) brokeOff(end);
  if (end.signal) throw Object.assign(new Error(`git was killed (${end.signal})`), { code: 'ECONNABORTED' });
}

function toEnv(protocol: string): Record<string, string> {
  return protocol === '' ? {} : { GIT_PROTOCOL: protocol };
}
