// The list of the files that a build made, in their folder: what may be replaced and removed by the next one.

export interface MadeFile {
  sizeBytes: number;
  /** Hex. */
  sha256: string;
}

/** Hosts and servers leave out names that begin with a dot. */
export const LIST_FILE = '.colophon-build.json';
export const STAGING = '.colophon-new';
/** The list of the old and the new files together, while they are moved. */
export const UNFINISHED = '.colophon-unfinished.json';

const FORMAT = 1;

/** `lines` are those of `toFileLines`. */
export function toFileList(lines: readonly string[], { isFinished = true } = {}): string {
  const about = 'Files that a build of Colophon made. The next build replaces and removes them.';
  return `{"about": ${JSON.stringify(about)}, "format": ${FORMAT}, "isFinished": ${isFinished}, "files": [\n${lines.join(',\n')}\n]}\n`;
}

/** A line for each file, sorted by name. */
export function toFileLines(files: ReadonlyMap<string, MadeFile>): string[] {
  const names = [...files.keys()].sort((a, b) => (a < b ? -1 : 1));
  return names.map((file) => {
    const { sizeBytes, sha256 } = files.get(file)!;
    return `[${JSON.stringify(file)},${sizeBytes},"${sha256}"]`;
  });
}

/** Undefined if it is damaged. */
export function parseFileList(text: string): { files: Map<string, MadeFile>; isFinished: boolean } | undefined {
  let value: { format?: unknown; isFinished?: unknown; files?: unknown };
  try {
    value = JSON.parse(text) as typeof value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (value.format !== FORMAT || !Array.isArray(value.files)) return undefined;
  const files = new Map<string, MadeFile>();
  for (const row of value.files as unknown[]) {
    const [file, sizeBytes, sha256] = Array.isArray(row) ? (row as unknown[]) : [];
    // A name that leads out of the folder would be removed there.
    if (
      typeof file !== 'string' ||
      typeof sizeBytes !== 'number' ||
      typeof sha256 !== 'string' ||
      /(?:^|\/)\.\.?(?:\/|$)|^\//.test(file)
    )
      return undefined;
    files.set(file, { sizeBytes, sha256 });
  }
  return { files, isFinished: value.isFinished === true };
}
