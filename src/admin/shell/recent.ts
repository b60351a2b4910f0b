// The documents and screens that a person opened last in this browser, for the palette. Pure.

export interface RecentPlace {
  path: string;
  /** What the screen was called. */
  title: string;
}

const KEPT = 12;

export function parseRecent(text: string | null): RecentPlace[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isPlace) : [];
  } catch (error) {
    // Written by another version, or by hand.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isPlace(one: unknown): one is RecentPlace {
  const { path, title } = (one ?? {}) as Partial<RecentPlace>;
  return typeof path === 'string' && path.startsWith('/admin') && typeof title === 'string';
}

/** The newest first. */
export function remember(list: readonly RecentPlace[], place: RecentPlace): RecentPlace[] {
  return [place, ...forget(list, place.path)].slice(0, KEPT);
}

export function forget(list: readonly RecentPlace[], path: string): RecentPlace[] {
  return list.filter((one) => one.path !== path);
}

/** The document of a path; undefined for a screen, a new document, and a part of one such as its history. */
export function toDocumentOf(path: string): { collection: string; slug: string } | undefined {
  const [collection, slug] = toParts(path);
  return collection !== undefined && slug !== undefined ? { collection, slug } : undefined;
}

/** Whether a path is worth coming back to: a screen, or a document that exists. */
export function isPlaceToKeep(path: string): boolean {
  return !path.startsWith('/admin/content/') || toParts(path).length > 0;
}

function toParts(path: string): string[] {
  const match = /^\/admin\/content\/([^/]+)(?:\/([^/]+))?$/.exec(path);
  if (!match || match[2] === 'new') return [];
  return match.slice(1).flatMap((part) => (part === undefined ? [] : decodeURIComponent(part)));
}
