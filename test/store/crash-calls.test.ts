// The models of the disk know every call of node:fs that the code makes: a new call shows here, and is then either
// added to test/support/memory-files.ts and test/support/crash/recorded-folder.ts, or listed as changing nothing that
// must last.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readSources, withoutComments } from '../support/source.ts';

/** Names without `Sync`. */
const READS =
  'access exists readFile readdir opendir stat lstat fstat statfs read createReadStream readlink realpath glob openAsBlob';
const MODELLED = 'open close write writeFile appendFile truncate fsync datasync sync mkdir rename link unlink rm rmdir';
const OTHERS: Record<string, string> = {
  copyFile: 'a copy of what is damaged, for people to look at',
  cp: 'compiled code, which may be damaged or missing (test/process/cache.test.ts)',
  chown: 'folders of builds, thrown away',
  lchown: 'trees of builds, thrown away',
  fchown: 'an owner is no promise after a power cut: the next command of root gives it again',
  chmod: 'modes are not part of any promise after a power cut',
  mkdtemp: 'folders of helper processes, which live as long as they do',
  symlink: 'the folder that `colophon serve` shows (scripts/sync-crash.ts kills it), and trees of builds, thrown away',
  createWriteStream: 'media and archives: synced through a handle of their own before they get their name',
};
/** Calls of a FileHandle, or of its streams. An owner (`chown`) is synced with the file, before the file has its name. */
const HANDLES =
  'chown read readv write writeFile appendFile truncate sync datasync close stat readFile createReadStream';

const KNOWN = new Set([...`${READS} ${MODELLED}`.split(' '), ...Object.keys(OTHERS)]);
const OF_MODULE = /import \{([^}]*)\} from 'node:fs(?:\/promises)?';/g;
const OF_OBJECT = /\bfs(?:\.promises)?\.([a-z]\w*)\(/g;
const OF_HANDLE = /\b(?:handle|file|to|from|opened|made)\??\.(?!(?:push|at|reduce)\()(\w+)\(/g;
/** Types, and objects with constants. */
const NO_CALL = /^(?:type |constants$|promises$|[A-Z])/;

const plain = (name: string): string => name.replace(/Sync$/, '');

function callsOf(text: string): string[] {
  const code = withoutComments(text);
  const imported = [...code.matchAll(OF_MODULE)].flatMap(([, names = '']) => names.split(','));
  const named = imported.map((name) => name.trim()).filter((name) => name && !NO_CALL.test(name));
  const called = [...code.matchAll(OF_OBJECT)].map(([, name = '']) => name);
  return [...named.map((name) => name.replace(/ as .*/, '')), ...called].map(plain);
}

test('every call of node:fs in the sources is known to the models of the disk', () => {
  assert.equal(callsOf("import { open, type FileHandle, rm as remove } from 'node:fs/promises';"), ['open', 'rm']);
  assert.equal(callsOf("import fs from 'node:fs';\nfs.ftruncateSync(fd); fs.promises.cp(a, b);"), ['ftruncate', 'cp']);
  const unknown = readSources(['src/**/*.ts']).flatMap(({ path, text }) =>
    callsOf(text).flatMap((name) => (KNOWN.has(name) ? [] : [`${path} calls ${name}`])),
  );
  assert.equal(unknown, []);
  const used = new Set(readSources(['src/**/*.ts']).flatMap(({ text }) => callsOf(text)));
  const idle = Object.keys(OTHERS).filter((name) => !used.has(name));
  assert.equal(idle, [], 'an exception that is not needed any more');
});

test('every call of a file handle beside the repository is known to the models of the disk', () => {
  const known = new Set(HANDLES.split(' '));
  const sources = readSources([
    'src/data/*.ts',
    'src/outbox/*.ts',
    'src/audit/*.ts',
    'src/settings/*.ts',
    'src/forms/*.ts',
    'src/access/**/*.ts',
  ]);
  const unknown = sources
    .filter(({ text }) => text.includes("'node:fs/promises'"))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(OF_HANDLE)].flatMap(([, name = '']) =>
        known.has(name) ? [] : [`${path} calls ${name} of a handle`],
      ),
    );
  assert.equal(unknown, []);
});

test.run();
