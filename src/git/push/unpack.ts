// A pack on its way into a quarantine: checked object by object by `git index-pack`, bounded while it streams in.
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

/** The pack was taken, or why it was not: what is wrong with it, in git's words, or what was in git's way. */
export type Unpacked = 'taken' | { problems: string[] } | { trouble: ServiceError };

/**
 * `--strict` is what `git fsck --strict` asks of objects, and that all they name is there. Modes that git wrote long ago
 * (100664) are only warned of, and no other check here would let them pass.
 */
const INDEX_PACK = ['index-pack', '--stdin', '--fix-thin', '--strict=badFilemode=error'];
/** The largest piece of memory git may ask for at once: a small pack can spell an object of any size. */
const ALLOC_LIMIT = '256m';

/** Git on the objects of a quarantine, on top of those of the repository; replacements and grafts have no say. */
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
 * Reads all of the pack.
 * @throws ServiceError 413 where it is far too large, 503 without git; what the body throws.
 */
export async function unpack({ program, env, pack, signal, packBytes }: UnpackParts): Promise<Unpacked> {
  const child = await program.start(INDEX_PACK, { env, signal });
  let isReading = true;
  let sizeBytes = 0;
  child.stdout.on('error', () => undefined); // it was ended, which is told below
  child.stdout.resume(); // says what we know: the pack's name
  const stops = child.ended.then(() => void (isReading = false));
  try {
    for await (const chunk of bounded(pack, packBytes)) {
      sizeBytes += chunk.length;
      if (sizeBytes > packBytes) child.kill();
      // What it does not want any more is read to its end all the same: only then does a client read our answer.
      if (!isReading || child.stdin.destroyed || child.stdin.write(chunk)) continue;
      await Promise.race([once(child.stdin, 'drain').catch(() => undefined), stops]); // an error is its end
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
  return ended.code === 0 ? 'taken' : { problems: toProblems(ended, env) };
}

/** Reads what nobody wants. @throws ServiceError 413. */
export async function drain(pack: AsyncIterable<Buffer>, packBytes: number): Promise<void> {
  for await (const chunk of bounded(pack, packBytes)) if (chunk.length === 0) return;
}

/** People read the reason only where all they sent was read; that has an end too. */
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

/** At least one. Paths of the machine are nobody's business. */
function toProblems({ code, stderr }: Ended, { GIT_DIR = '', GIT_OBJECT_DIRECTORY = '' }: Record<string, string>) {
  const text = stderr.replaceAll(GIT_OBJECT_DIRECTORY, 'objects').replaceAll(GIT_DIR, 'repository');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.length ? lines : [`git index-pack ended with ${code}`];
}
