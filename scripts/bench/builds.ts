// Builds of the same posts by this service's static builder, by Hugo and by Eleventy: the whole process, from its start
// to its end. Each runs what is installed; for ours that is the compiled package.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../src/lib/error-code.ts';
import { compile } from '../build/compile.ts';
import { alternate, type Bench } from './bench.ts';
import { type BlogPost, commitPosts, makePosts, plantPosts, readRustBlog, writeEleventy, writeHugo } from './blog.ts';
import { type BenchRow, type RowInput, toRow } from './table.ts';

const POSTS = 10_000;
const MEMORY_BAR_MB = 600;
const CHANGED_BAR_S = 1;
const HUGO = '/usr/bin/hugo';
const ELEVENTY = path.resolve('node_modules/@11ty/eleventy/cmd.cjs');
/** A folder of Markdown with TOML front matter, such as the content of the Rust blog. */
const POSTS_FOLDER = process.env.BENCH_POSTS ?? '';

interface BuildBars {
  hugo: number;
  eleventy: number;
}

export async function* builds(bench: Bench): AsyncGenerator<BenchRow> {
  const command = installPackage(bench);
  yield* compare(bench, command, '10,000 posts', makePosts(POSTS), { hugo: 1.2, eleventy: 0.6 });
  const blog = POSTS_FOLDER === '' ? undefined : readRustBlog(POSTS_FOLDER);
  const name = `the ${blog?.length} posts of the Rust blog`;
  if (blog) yield* compare(bench, command, name, blog, { hugo: 2.5, eleventy: 1 });
}

/** Returns the command of a package as npm would install it, with the libraries of this checkout. */
function installPackage(bench: Bench): string {
  bench.progress('compile the package');
  const folder = path.join(bench.folder, 'package');
  const command = path.join(folder, 'src/cli/colophon.js');
  fs.mkdirSync(path.dirname(command), { recursive: true });
  fs.copyFileSync('src/cli/colophon.js', command);
  fs.copyFileSync('package.json', path.join(folder, 'package.json'));
  fs.symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  compile(path.join(folder, 'dist'));
  return command;
}

async function* compare(
  bench: Bench,
  command: string,
  what: string,
  posts: BlogPost[],
  bars: BuildBars,
): AsyncGenerator<BenchRow> {
  const folder = path.join(bench.folder, `builds-${posts.length}`);
  bench.progress(`write ${posts.length} posts`);
  await plantPosts(path.join(folder, 'colophon'), posts);
  writeHugo(path.join(folder, 'hugo'), posts);
  writeEleventy(path.join(folder, 'eleventy'), posts);
  const memory: number[] = [];
  const ours = async (out: string, ...more: string[]): Promise<number> => {
    const { seconds, peakMb } = await run(path.join(folder, 'colophon'), process.execPath, [
      command,
      'build',
      ...['--data', 'data', '--config', 'cms.config.json', '--out', out, ...more],
    ]);
    memory.push(peakMb);
    return seconds;
  };
  // Each build has a folder of its own, and none is removed before the end: for minutes ext4 passes over the inodes of
  // what was just deleted, which costs the next that creates files up to seconds.
  let rounds = 0;
  const newFolder = (): string => path.join(folder, `out-${++rounds}`);
  const found = await alternate(bench, {
    colophon: () => ours(newFolder(), '--full'),
    async hugo() {
      const args = ['--quiet', '--destination', newFolder()];
      return (await run(path.join(folder, 'hugo'), HUGO, args)).seconds;
    },
    async eleventy() {
      const args = [ELEVENTY, '--quiet', `--output=${path.relative(path.join(folder, 'eleventy'), newFolder())}`];
      return (await run(path.join(folder, 'eleventy'), process.execPath, args)).seconds;
    },
  });
  const figure = { figure: `build of ${what}, in full`, unit: 's', values: found.colophon };
  yield toRow({ ...figure, reference: 'Hugo', references: found.hugo, bars: [{ atMost: bars.hugo }] });
  yield toRow({ ...figure, reference: 'Eleventy', references: found.eleventy, bars: [{ atMost: bars.eleventy }] });
  if (posts.length === POSTS)
    yield* further(bench, { folder, posts, memory, ours: () => ours('out'), hugo: found.hugo });
}

async function* further(
  bench: Bench,
  {
    folder,
    posts,
    memory,
    ours,
    hugo,
  }: { folder: string; posts: BlogPost[]; memory: number[]; ours(): Promise<number>; hugo: number[] },
): AsyncGenerator<BenchRow> {
  const row: Pick<RowInput, 'reference' | 'references'> = { reference: 'Hugo, in full', references: hugo };
  yield toRow({
    figure: 'its memory at most',
    unit: 'MB',
    values: [Math.max(...memory)],
    reference: 'the bar',
    references: [MEMORY_BAR_MB],
    bars: [{ of: 'figure', atMost: MEMORY_BAR_MB }],
  });
  await ours();
  const changed: number[] = [];
  for (let round = 0; round < Math.max(3, bench.repeats); round++) {
    bench.progress(`one changed post, run ${round + 1}`);
    const at = Math.floor(posts.length / 2) + round;
    await commitPosts(
      path.join(folder, 'colophon'),
      [{ ...posts[at]!, body: `Changed ${round}. ${posts[at]!.body}` }],
      at,
    );
    changed.push(await ours());
  }
  yield toRow({
    figure: 'build of 10,000 posts, one of them changed',
    unit: 's',
    values: changed,
    ...row,
    bars: [{ of: 'figure', atMost: CHANGED_BAR_S }],
  });
}

/** How often the memory of a process is read. */
const LOOK_MS = 50;

async function run(cwd: string, program: string, args: string[]): Promise<{ seconds: number; peakMb: number }> {
  const started = performance.now();
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let problem = '';
  child.stderr.on('data', (text) => (problem = `${problem}${text}`.slice(-2000)));
  let peakKb = 0;
  const look = setInterval(() => {
    try {
      const status = fs.readFileSync(`/proc/${child.pid}/status`, 'latin1');
      peakKb = Math.max(peakKb, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    } catch (error) {
      // The process has ended.
      if (!isCode(error, 'ENOENT', 'ESRCH')) throw error;
    }
  }, LOOK_MS);
  const [code] = await once(child, 'close');
  clearInterval(look);
  if (code !== 0) throw new Error(`${program} ${args[0]} ended with ${code}: ${problem}`);
  return { seconds: (performance.now() - started) / 1000, peakMb: peakKb / 1024 };
}
