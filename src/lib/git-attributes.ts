// The lines of `.gitattributes` that every content repository has (gitattributes(5)): media are Git LFS pointers, so
// that a clone with git-lfs has their bytes, and documents have drivers, so that diff and merge see the lines of a text
// (`colophon git-setup` defines those). A client without git-lfs or without the drivers ignores them. Pure.

export const ATTRIBUTES_PATH = '.gitattributes';

/** The descriptions of media are JSON; only the files beside them are pointers. */
const LINES = [
  'media/** filter=lfs diff=lfs merge=lfs -text',
  'media/**/.meta/** !filter !diff !merge !text',
  'content/**/*.json diff=colophon-json merge=colophon-json',
  'content/**/*.md merge=colophon-markdown',
];

/**
 * Adds the lines that are missing at the end, where they win over earlier ones; everything else stays as it is. A line
 * that is commented out counts as present. Returns undefined if nothing is missing.
 */
export function extendAttributes(before: Buffer): Buffer | undefined {
  const known = new Set(
    before
      .toString('latin1')
      .replace(/^\u00ef\u00bb\u00bf/, '')
      .split('\n')
      .map((line) =>
        line
          .replace(/^[\s#]+/, '')
          .trim()
          .split(/\s+/)
          .join(' '),
      ),
  );
  const missing = LINES.filter((line) => !known.has(line));
  if (missing.length === 0) return undefined;
  const isWhole = before.length === 0 || before.at(-1) === 0x0a;
  return Buffer.concat([before, Buffer.from(`${isWhole ? '' : '\n'}${missing.join('\n')}\n`, 'latin1')]);
}

export function newAttributes(): Buffer {
  return extendAttributes(Buffer.alloc(0))!;
}
