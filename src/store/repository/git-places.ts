// Lists the places where a git process may be at work, from its entry in /proc: its working folder, and every argument
// and variable that may be a path. Each place is a path through the process's `cwd` or `root` in /proc, so that the
// kernel follows links, relative paths and mounts. The caller compares device and inode with those of the repository.
// Pure.

/** The files of a process that `placesOf` needs. */
export const NAMES_IN = ['cmdline', 'environ'] as const;

const VARIABLES = new Set([
  'GIT_DIR',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
]);
/** Options come first, and the repository is among them; thousands of files may follow. */
const MAX_WORDS = 64;
/** Folders in a repository are at most this deep: objects/pack, refs/heads/a/b. */
const MAX_ABOVE = 5;

/** `process` is the process's folder in /proc. */
export function placesOf(process: string, { cmdline, environ }: Record<(typeof NAMES_IN)[number], string>): string[] {
  const words = cmdline.split('\0').slice(1, MAX_WORDS);
  const values = environ.split('\0').flatMap((text) => {
    const [name = '', value = ''] = splitOnce(text, '=');
    return VARIABLES.has(name) ? value.split(':') : [];
  });
  const cwd = Array.from({ length: MAX_ABOVE + 1 }, (_, above) => `${process}/cwd${'/..'.repeat(above)}`);
  return [...cwd, ...new Set([...words.flatMap(pathsIn), ...values].flatMap((path) => placesAt(process, path)))];
}

/** Recognises `--git-dir=<path>`, `file://<path>` and a plain path. */
function pathsIn(word: string): string[] {
  const [, value] = splitOnce(word, '=');
  return [word, value ?? ''].map((text) => text.replace(/^file:\/\//, '')).filter((text) => text !== '');
}

/** The path itself, the forms to which git completes it, and the folders above it. */
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
