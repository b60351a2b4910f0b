// Which names and links of a pushed tree may be written to the disk of this machine. Pure.
import { extensionOf, isMediaExtension } from '../../media/kinds/kinds.ts';

/**
 * Media that build tools read as pages, data or code, wherever in the tree they find them: front matter of a Markdown file
 * may be JavaScript (`---js`), and `images/images.json` sets data for a whole folder.
 */
const READ_BY_TOOLS = new Set(['md', 'markdown', 'mdx', 'json', 'yaml', 'yml', 'toml', 'ts']);

/** Returns the reason against writing a file or folder of that name. */
export function nameProblem(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) return 'its name is not one of a file';
  if (name.includes('\ufffd')) return 'its name is not valid UTF-8';
  // git runs programs that the configuration of a repository names.
  if (/^\.git[. ]*$/i.test(name)) return 'it would be read as a repository of git';
  return undefined;
}

/** Returns the reason against writing a media file of that name: editors upload media, and must not choose what runs. */
export function mediaNameProblem(file: string): string | undefined {
  const extension = extensionOf(file);
  if (isMediaExtension(extension) && !READ_BY_TOOLS.has(extension)) return undefined;
  return 'build tools may read it as a page, as data or as code; link to its address below /uploads instead';
}

/**
 * Returns the reason against a link that leads out of the tree. `..` is allowed at the beginning only: behind the name of
 * a folder, which may be a link as well, it would not lead where it seems to.
 */
export function linkProblem(file: string, target: string): string | undefined {
  if (target === '' || target.startsWith('/') || /[\\\0\ufffd]/.test(target)) return 'it is a link that leads out';
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  const down = parts.findIndex((part) => part !== '..');
  const ups = down < 0 ? parts.length : down;
  const depth = file.split('/').length - 1;
  return ups > depth || parts.slice(ups).includes('..') ? 'it is a link that leads out' : undefined;
}
