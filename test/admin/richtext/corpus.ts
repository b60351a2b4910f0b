// Texts for the tests of rich text: samples of every kind of block, and real posts where `BENCH_POSTS` names a folder.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../support/source.ts';

/** A folder of Markdown with front matter. */
const POSTS = process.env.BENCH_POSTS ?? '';

export interface SampleText {
  name: string;
  text: string;
}

export function listSamples(): SampleText[] {
  const folder = path.join(ROOT, 'test/admin/richtext/samples');
  return globSync('*.md', { cwd: folder }).map((name) => ({
    name,
    text: readFileSync(path.join(folder, name), 'utf8'),
  }));
}

/** Empty if there is no such folder. */
export function listPosts(): SampleText[] {
  if (!existsSync(POSTS)) return [];
  return globSync('**/*.md', { cwd: POSTS })
    .sort()
    .map((name) => ({ name, text: withoutFrontMatter(readFileSync(path.join(POSTS, name), 'utf8')) }));
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^(---|\+\+\+)\r?\n[\s\S]*?\n\1\r?\n/, '');
}
