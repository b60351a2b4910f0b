// The git binary as a witness of what the service wrote. Tests need it; the service does not.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs git and returns its standard output; rejects if git fails. Ignores every git configuration of the machine. */
export async function git(repository: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-c', 'safe.directory=*', '-c', 'gc.auto=0', ...args], {
    cwd: repository,
    maxBuffer: 256 << 20,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
  });
  return stdout;
}

/** The ids of all objects, sorted: merging packs in the background changes the files that hold them, but not this. */
export async function listObjects(repository: string): Promise<string[]> {
  const text = await git(repository, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)');
  return text.split('\n').filter(Boolean).sort();
}

export interface Logged {
  commit: string;
  parents: string[];
  tree: string;
  requestId: string;
  changeId: string;
  subject: string;
}

/** The commits of a branch, oldest first. */
export async function gitLog(repository: string, branch = 'main'): Promise<Logged[]> {
  const trailer = (key: string): string => `%(trailers:key=${key},valueonly,separator=%x2C)`;
  const format = `--format=%H%x09%P%x09%T%x09${trailer('Request-Id')}%x09${trailer('Change-Id')}%x09%s`;
  const text = await git(repository, 'log', '--reverse', '--topo-order', format, branch);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [commit = '', parents = '', tree = '', requestId = '', changeId = '', subject = ''] = line.split('\t');
      return { commit, parents: parents ? parents.split(' ') : [], tree, requestId, changeId, subject };
    });
}

/** Every file under `content/` of a branch, parsed, by path. Two git processes, however many files. */
export async function gitDocuments(repository: string, branch = 'main'): Promise<Map<string, Record<string, unknown>>> {
  const listing = await git(repository, 'ls-tree', '-r', '--format=%(objectname) %(path)', branch, 'content/');
  const files = listing
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ') as [string, string]);
  const documents = new Map<string, Record<string, unknown>>();
  if (files.length === 0) return documents;
  const bytes = await feed(repository, ['cat-file', '--batch'], files.map(([oid]) => `${oid}\n`).join(''));
  let at = 0;
  for (const [, path] of files) {
    const headEnd = bytes.indexOf(10, at);
    const sizeBytes = Number(bytes.toString('latin1', at, headEnd).split(' ')[2]);
    documents.set(path, JSON.parse(bytes.toString('utf8', headEnd + 1, headEnd + 1 + sizeBytes)));
    at = headEnd + 1 + sizeBytes + 1;
  }
  return documents;
}

/** Puts a file on the branch, as an operator with access to the repository would. */
export async function commitFile(repository: string, path: string, text: string, branch = 'main'): Promise<void> {
  const commit = [
    `commit refs/heads/${branch}`,
    `committer Grace <grace@example.org> ${Math.floor(Date.now() / 1000)} +0000`,
    'data 7\nBy hand',
    `from refs/heads/${branch}^0`,
    `M 100644 inline ${path}`,
    `data ${Buffer.byteLength(text)}\n${text}`,
  ];
  await feed(repository, ['fast-import', '--quiet'], `${commit.join('\n')}\n`);
}

function feed(repository: string, args: string[], input: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { cwd: repository, maxBuffer: 256 << 20, encoding: 'buffer' as const };
    const child = execFile('git', ['-c', 'safe.directory=*', ...args], options, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    child.stdin?.end(input);
  });
}
