// `_headers` as Netlify, Cloudflare Pages and the sync server read it: a path, then indented `Name: value` lines. Pure.

export interface HeaderRule {
  /** May have `*` and `:name` segments. */
  path: string;
  headers: { name: string; value: string }[];
}

export interface HeaderLines {
  rules: HeaderRule[];
  /** Lines that only the host itself can read. */
  unknown: string[];
}

export function parseHeaderLines(text: string): HeaderLines {
  const rules: HeaderRule[] = [];
  const unknown: string[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value = ''] = /^([A-Za-z0-9-]+):\s*(.*)$/.exec(line) ?? [];
    if (line.startsWith('/')) rules.push({ path: line, headers: [] });
    else if (name !== undefined && rules.length > 0) rules.at(-1)?.headers.push({ name, value });
    else unknown.push(line);
  }
  return { rules, unknown };
}

/** For every address. */
export const NOINDEX_LINES = '/*\n  X-Robots-Tag: noindex\n';
