// The paths of `_redirects` and `_headers`: `/blog/:slug`, `/old/*`, `/*.js`. Matching takes time in proportion to the
// path, whatever the pattern.

/** Values of the placeholders by name; `splat` for what the star stands for. Decoded. */
export type PathValues = Record<string, string>;

/** Returns undefined if the path, of decoded segments, does not fit. A slash at the end makes no difference. */
export type PathPattern = (segments: readonly string[]) => PathValues | undefined;

/** Undefined if the text is not a pattern. */
export function parsePathPattern(text: string): PathPattern | undefined {
  if (!text.startsWith('/')) return undefined;
  const segments = text.split('/').slice(1).map(decodeOrKeep);
  const hasSplat = segments.at(-1) === '*';
  const fixed = withoutEnd(hasSplat ? segments.slice(0, -1) : segments);
  if (fixed.some((segment) => segment.includes('*'))) return globPattern(segments.join('/'));
  return (found) => {
    const path = withoutEnd(found);
    if (hasSplat ? path.length < fixed.length : path.length !== fixed.length) return undefined;
    const values: PathValues = {};
    for (const [at, segment] of fixed.entries()) {
      const value = path[at] ?? '';
      if (isPlaceholder(segment)) values[segment.slice(1)] = value;
      else if (segment !== value) return undefined;
    }
    if (hasSplat) values.splat = found.slice(fixed.length).join('/');
    return values;
  };
}

/** Whether it fits one path only, which can then be found in a table. */
export function isFixedPattern(text: string): boolean {
  return !text.includes('*') && !text.split('/').some(isPlaceholder);
}

/** The key in that table. */
export function fixedKey(segments: readonly string[]): string {
  return withoutEnd(segments).join('/');
}

export function toSegments(path: string): string[] {
  return path.split('/').slice(1).map(decodeOrKeep);
}

function withoutEnd(segments: readonly string[]): readonly string[] {
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}

function isPlaceholder(segment: string): boolean {
  return /^:[A-Za-z][A-Za-z0-9_]*$/.test(segment);
}

/** Stars between fixed texts: each text is looked for once, from where the one before it ended. */
function globPattern(text: string): PathPattern {
  const pieces = text.split('*');
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)];
  return (found) => {
    const path = found.join('/');
    if (!path.startsWith(first) || !path.endsWith(last)) return undefined;
    let at = first.length;
    for (const piece of pieces.slice(1, -1)) {
      const next = path.indexOf(piece, at);
      if (next < 0) return undefined;
      at = next + piece.length;
    }
    return at <= path.length - last.length ? {} : undefined;
  };
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}
