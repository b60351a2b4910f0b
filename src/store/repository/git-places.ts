// Where a git process may be at work, by what /proc says of it: its folder, and whatever of its words and variables may be
// a path. Each place is a path of ours that leads there through the process's own folder and root, so that links, relative
// paths and mounts are the kernel's to follow; whether one is the repository, device and inode say. Pure.

/** Names of the files of a process that `placesOf` reads. */
export const NAMES_IN = ['cmdline', 'environ'] as const;

const VARIABLES = new Set([
  'GIT_DIR',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
]);
/** Options, and the repository among them, are at the front; behind them may be thousands of files. */
const MAX_WORDS = 64;
/** A folder of a repository is no deeper below it: objects/pack, refs/heads/a/b. */
const MAX_ABOVE = 5;

/** `process` is its folder in /proc. */
export function placesOf(process: string, { cmdline, environ }: Record<(typeof NAMES_IN)[number], string>): string[] {
  const words = cmdline.split('\0').slice(1, MAX_WORDS);
  const values = environ.split('\0').flatMap((text) => {
    const [name = '', value = ''] = splitOnce(text, '=');
    return VARIABLES.has(name) ? value.split(':') : [];
  });
  const cwd = Array.from({ length: MAX_ABOVE + 1 }, (_, above) => `${process}/cwd${'/..'.repeat(above)}`);
  return [...cwd, ...new Set([...words.flatMap(pathsIn), ...values].flatMap((path) => placesAt(process, path)))];
}

/** `--git-dir=<path>`, `file://<path>` and a path alone. */
function pathsIn(word: string): string[] {
  const [, value] = splitOnce(word, '=');
  return [word, value ?? ''].map((text) => text.replace(/^file:\/\//, '')).filter((text) => text !== '');
}

/** The path itself, as git completes it, and the folders above it. */
function placesAt(process: string, path: string): string[] {
  if (path === '' || path.startsWith('-')) return [];
  const plain = path.replace(/\/+$/, '');
  const segments = plain.split('/');
  const above = Array.from({ length: Math.min(MAX_ABOVE, segments.length - 1) }, (_, n) =>
    segments.slice(0, segments.length - 1 - n).join('/'),
  );
  const from = path.startsWith('/') ? `${process}/root` : `${process}/cwd/`;
  return [plain, `${plain}.git`, `${plain}/.git`, ...above].map((place) => from + place);
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
