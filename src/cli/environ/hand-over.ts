// Starts this process again and hands it its secrets through a pipe, so that its environment never had them. It stays
// the same process: its id, its streams and its parent do not change. Node closes all files but the standard streams
// when it starts a program in its place, so a shell in between makes the pipe: a here-document with a part of them for
// each file, as small as shells write to a pipe at once.
import fs from 'node:fs';
import { isShown } from '../../config/secret-variables.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The number of files with parts; the first is FIRST_FILE. */
const COUNT = 'COLOPHON_HANDED';
const PART = 'COLOPHON_HANDED_PART';
const SHELL = '/bin/sh';
const FIRST_FILE = 3;
/** Shells name files by one digit. */
const MAX_FILES = 7;
/** dash writes up to 4096 bytes to a pipe at once, and starts a process for more. */
const PART_CHARS = 4000;

/** Returns only if the system cannot do it, or if the variables are too large. */
export function startAgain(command: readonly string[], variables: Variables): void {
  const { execve } = process;
  const [program = ''] = command;
  if (!execve) return;
  const given = Object.entries(variables).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const kept = Object.fromEntries(given.filter(([name, value]) => isShown(name, value)));
  const handed = given.filter(([name, value]) => !isShown(name, value));
  if (handed.length === 0) return void execve.call(process, program, [...command], kept);
  const parts = toParts(Buffer.from(JSON.stringify(Object.fromEntries(handed))).toString('base64'));
  if (parts.length > MAX_FILES || !fs.existsSync(SHELL))
    return void execve.call(process, program, [...command], Object.fromEntries(given));
  const names = parts.map((_, index) => `${PART}_${index}`);
  const script = [
    ...names.map((name, index) => `exec ${FIRST_FILE + index}<<END\n$${name}\nEND`),
    `unset ${names.join(' ')}`,
    'exec "$@"',
  ].join('\n');
  const env = {
    ...kept,
    ...Object.fromEntries(names.map((name, index) => [name, parts[index]!])),
    [COUNT]: `${parts.length}`,
  };
  execve.call(process, SHELL, ['sh', '-c', script, 'sh', ...command], env);
}

/** What the process before this one handed over; takes the note of it out of `env`. */
export function readHanded(env: Record<string, string | undefined>): Variables {
  const count = Number(env[COUNT] ?? 0);
  delete env[COUNT];
  if (!(count > 0 && count <= MAX_FILES)) return {};
  let text = '';
  for (let file = FIRST_FILE; file < FIRST_FILE + count; file++) {
    text += fs.readFileSync(file, 'latin1').trimEnd();
    fs.closeSync(file);
  }
  return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
}

function toParts(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += PART_CHARS) parts.push(text.slice(at, at + PART_CHARS));
  return parts;
}
