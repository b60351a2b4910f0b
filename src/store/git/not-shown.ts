// What an external commit brought and a later change of ours overwrote without having seen it: our commit names it in its
// trailers, so that nothing disappears in silence.
import { decodeToken, toPathToken, toToken } from '../../lib/text/trailer-token.ts';
import type { Oid } from './objects.ts';

/** A field of a file, as a commit left it, that a later commit of ours overwrote without having seen it. */
export interface NotShown {
  path: string;
  /** `*` for the whole document. */
  field: string;
  /** The commit that has it. */
  commit: Oid;
}

/** One commit names so many; a change has at most 500 documents. */
const MOST_NOT_SHOWN = 50;
const NOT_SHOWN = /^Not-Shown: ([0-9a-f]{40}) (\S+) (\S+)$/gm;

/** Lines below the other trailers of a commit that was put on top of external ones. */
export function toNotShownTrailers(notShown: readonly NotShown[]): string {
  return notShown
    .slice(0, MOST_NOT_SHOWN)
    .map(
      ({ commit, path, field }) =>
        `Not-Shown: ${commit} ${toPathToken(path)} ${field === '*' ? field : toToken(field)}\n`,
    )
    .join('');
}

export function parseNotShown(message: string): NotShown[] {
  const paragraph = message.trimEnd().split('\n\n').at(-1) ?? '';
  return [...paragraph.matchAll(NOT_SHOWN)].map(([, commit, path, field]) => ({
    commit: commit!,
    path: path!.split('/').map(decodeToken).join('/'),
    field: decodeToken(field!),
  }));
}
