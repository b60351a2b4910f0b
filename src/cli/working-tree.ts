// The files of a clone as `git add --all` and a commit would take them: without those that are ignored, media as their
// pointers. Changes neither the clone's index nor its objects.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { failure } from './failure.ts';

export interface WorkingFile {
  path: string;
  mode: string;
  oid: string;
  sizeBytes: number;
  /** Undefined for a file that is larger than any that is read. */
  content: Buffer | undefined;
}

const MAX_READ_BYTES = 5 << 20;
/** Objects that git is asked for at a time. */
const BATCH = 500;
const OUTPUT_BYTES = 2 ** 31;
const LINE = /^(\d+) ([0-9a-f]{40}) \d\t(.*)$/s;

/** `variables` are those of the person's environment, whose git it is. */
export function readWorkingTree(folder: string, variables: NodeJS.ProcessEnv): WorkingFile[] {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'colophon-check-'));
  try {
    const top = ask(folder, variables, 'rev-parse', '--show-toplevel').toString('utf8').trimEnd();
    const common = path.resolve(folder, ask(folder, variables, 'rev-parse', '--git-path', 'objects').toString().trim());
    const index = path.resolve(folder, ask(folder, variables, 'rev-parse', '--git-path', 'index').toString().trim());
    const own = { index: path.join(scratch, 'index'), objects: path.join(scratch, 'objects') };
    mkdirSync(own.objects);
    // The index knows which files are as they were.
    if (existsSync(index)) copyFileSync(index, own.index);
    const env = {
      ...variables,
      GIT_INDEX_FILE: own.index,
      GIT_OBJECT_DIRECTORY: own.objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: common,
    };
    ask(top, env, 'add', '--all');
    const lines = ask(top, env, 'ls-files', '--stage', '-z').toString('utf8').split('\0').filter(Boolean);
    const listed = lines.flatMap((line) => {
      const [, mode = '', oid = '', name = ''] = LINE.exec(line) ?? [];
      return mode === '160000' ? [] : [{ path: name, mode, oid }];
    });
    return readObjects(top, env, listed);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readObjects(
  top: string,
  env: NodeJS.ProcessEnv,
  listed: readonly Pick<WorkingFile, 'path' | 'mode' | 'oid'>[],
): WorkingFile[] {
  const files: WorkingFile[] = [];
  for (let at = 0; at < listed.length; at += BATCH) {
    const some = listed.slice(at, at + BATCH);
    const sizes = batch(
      top,
      env,
      '--batch-check=%(objectsize)',
      some.map(({ oid }) => oid),
    );
    const measured = sizes.toString('latin1').trimEnd().split('\n').map(Number);
    const read = some.filter((_, i) => measured[i]! <= MAX_READ_BYTES);
    const bytes = batch(
      top,
      env,
      '--batch=%(objectsize)',
      read.map(({ oid }) => oid),
    );
    let offset = 0;
    for (const [i, file] of some.entries()) {
      const sizeBytes = measured[i]!;
      let content: Buffer | undefined;
      if (sizeBytes <= MAX_READ_BYTES) {
        const start = bytes.indexOf(0x0a, offset) + 1;
        content = Buffer.from(bytes.subarray(start, start + sizeBytes));
        offset = start + sizeBytes + 1;
      }
      files.push({ ...file, sizeBytes, content });
    }
  }
  return files;
}

function batch(top: string, env: NodeJS.ProcessEnv, format: string, oids: readonly string[]): Buffer {
  const input = `${oids.join('\n')}\n`;
  return oids.length === 0 ? Buffer.alloc(0) : finish(top, run(top, env, ['cat-file', format], input));
}

function ask(folder: string, env: NodeJS.ProcessEnv, ...args: string[]): Buffer {
  return finish(folder, run(folder, env, args));
}

function run(folder: string, env: NodeJS.ProcessEnv, args: readonly string[], input = ''): SpawnSyncReturns<Buffer> {
  return spawnSync('git', ['-C', folder, ...args], { env, input, maxBuffer: OUTPUT_BYTES });
}

function finish(folder: string, { error, status, stdout, stderr }: SpawnSyncReturns<Buffer>): Buffer {
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    throw failure('git is not installed, or not in PATH');
  if (status === 0) return stdout;
  throw failure(`"${folder}" cannot be read as a clone: ${error?.message ?? stderr.toString('utf8').split('\n')[0]}`);
}
