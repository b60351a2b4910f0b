// What a host would refuse about the files of a site, found before the first request. Pure.
import type { PublishedFile } from '../providers/provider.ts';

export interface HostLimits {
  /** For people: "Netlify". */
  label: string;
  maxFiles?: number;
  maxFileBytes?: number;
  maxTotalBytes?: number;
  /** Characters that a path must not have. */
  badCharacters?: RegExp;
}

/** A list for people; the rest is counted. */
const MAX_NAMED = 20;
const MIB = 1 << 20;
/** No host can serve these by an address, or stores them as they are. */
const NEVER = /[\p{Cc}\\]/u;

/** Everything at once, in sentences that name each file. */
export function limitRefusals(files: readonly PublishedFile[], limits: HostLimits): string[] {
  const { label, maxFiles = Infinity, maxFileBytes = Infinity, maxTotalBytes = Infinity, badCharacters } = limits;
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const isBadName = ({ path }: PublishedFile): boolean =>
    NEVER.test(path) || !path.isWellFormed() || (badCharacters?.test(path) ?? false);
  return [
    ...(files.length > maxFiles ? [`${files.length} files are more than ${label} accepts (${maxFiles})`] : []),
    ...(totalBytes > maxTotalBytes
      ? [`${toMib(totalBytes)} MiB of files are more than ${label} accepts (${toMib(maxTotalBytes)} MiB)`]
      : []),
    ...named(
      files.filter(({ sizeBytes }) => sizeBytes > maxFileBytes),
      ({ path, sizeBytes }) =>
        `file "${path}" has ${toMib(sizeBytes)} MiB, more than ${label} accepts (${toMib(maxFileBytes)} MiB)`,
    ),
    ...named(
      files.filter(isBadName),
      ({ path }) =>
        `file ${JSON.stringify(path)} has a name that ${label} refuses; rename it without ${badOf(path, badCharacters)}`,
    ),
  ];
}

function named(files: readonly PublishedFile[], sentence: (file: PublishedFile) => string): string[] {
  const sentences = files.slice(0, MAX_NAMED).map(sentence);
  const rest = files.length - sentences.length;
  return rest > 0 ? [...sentences, `and ${rest} more files like the last`] : sentences;
}

function badOf(path: string, badCharacters: RegExp | undefined): string {
  const [found] = badCharacters?.exec(path) ?? NEVER.exec(path) ?? [];
  return found === undefined ? 'the character that is not Unicode' : JSON.stringify(found);
}

function toMib(bytes: number): number {
  return Math.ceil((bytes / MIB) * 10) / 10;
}
