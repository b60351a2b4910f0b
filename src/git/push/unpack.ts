// Streams a pack into a quarantine: `git index-pack` checks every object, and the size is limited.
import { once } from 'node:events';
import path from 'node:path';
import { ServiceError } from '../../lib/errors.ts';
import type { Ended, GitProgram } from '../program/program.ts';
import { findTrouble } from '../program/trouble.ts';

export interface UnpackParts {
  program: GitProgram;
  env: Record<string, string>;
  pack: AsyncIterable<Buffer>;
  signal: AbortSignal;
  packBytes: number;
}

/** The pack was accepted, or the reason why not: its problems in git's words, or a failure of git itself. */
export type Unpacked = 'accepted' | { problems: string[] } | { trouble: ServiceError };

/**
 * `--strict` checks objects as `git fsck --strict` does, and that every object they name exists. Git would only warn
 * about modes that it wrote long ago (100664); they are an error here, because no other check here accepts them.
 */
const INDEX_PACK = ['index-pack', '--stdin', '--fix-thin', '--strict=badFilemode=error'];
/** The largest single allocation of git: a small pack can describe an object of any size. */
const ALLOC_LIMIT = '256m';

/** Git on the objects of a quarantine, on top of those of the repository; replacements and grafts are ignored. */
export function quarantineEnv(repository: string, objects: string): Record<string, string> {
  return {
    GIT_DIR: repository,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(path.join(repository, 'objects')),
    GIT_GRAFT_FILE: '/dev/null',
    GIT_ALLOC_LIMIT: ALLOC_LIMIT,
  };
}

/**
 * Reads the whole pack.
 * @throws ServiceError 413 if it is far too large, 503 without git; whatever the body throws.
 */
export async function unpack({ program, env, pack, signal, packBytes }: UnpackParts): Promise<Unpacked> {
  const child = await program.start(INDEX_PACK, { env, signal });
  let isReading = true;
  let sizeBytes = 0;
  child.stdout.on('error', () => undefined); // git was ended, which `ended` reports
  child.stdout.resume(); // only the pack's name, which is not needed
  const stops = child.ended.then(() => void (isReading = false));
  try {
    for await (const chunk of bounded(pack, packBytes)) {
      sizeBytes += chunk.length;
      if (sizeBytes > packBytes) child.kill();
      // The rest is read to the end even if git no longer wants it: only then does the client read the answer.
      if (!isReading || child.stdin.destroyed || child.stdin.write(chunk)) continue;
      await Promise.race([once(child.stdin, 'drain').catch(() => undefined), stops]); // an error means that git ended
    }
  } catch (error) {
    child.kill();
    await stops;
    throw error;
  }
  child.stdin.end();
  const ended = await child.ended;
  if (sizeBytes > packBytes) return { problems: [tooLarge(packBytes)] };
  const trouble = findTrouble(ended);
  if (trouble) return { trouble };
  return ended.code === 0 ? 'accepted' : { problems: toProblems(ended, env) };
}

/** Reads and discards the pack. @throws ServiceError 413. */
export async function drain(pack: AsyncIterable<Buffer>, packBytes: number): Promise<void> {
  for await (const chunk of bounded(pack, packBytes)) if (chunk.length === 0) return;
}

/** A client shows the reason only after all that it sends was read; this too has a limit. */
async function* bounded(pack: AsyncIterable<Buffer>, packBytes: number): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const chunk of pack) {
    sizeBytes += chunk.length;
    if (sizeBytes > 2 * packBytes) throw new ServiceError('too_large', tooLarge(packBytes));
    yield chunk;
  }
}

function tooLarge(packBytes: number): string {
  return `a push is at most ${packBytes >> 20} MiB: push fewer commits at a time`;
}

/** At least one line, without the paths of this machine. */
function toProblems({ code, stderr }: Ended, { GIT_DIR = '', GIT_OBJECT_DIRECTORY = '' }: Record<string, string>) {
  const text = stderr.replaceAll(GIT_OBJECT_DIRECTORY, 'objects').replaceAll(GIT_DIR, 'repository');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.length ? lines : [`git index-pack ended with ${code}`];
}
