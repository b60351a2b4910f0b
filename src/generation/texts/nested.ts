// A Markdown block inside another one: the text without the quote marks or indentation in front of its lines, changed,
// and with them again.

/**
 * `inner` is the text of `raw` without what is in front of its lines; `usual` is what a new line begins with if the old
 * ones do not agree. Returns undefined if the lines do not match.
 */
export function nest(raw: string, inner: string, usual: string, change: (inner: string) => string): string | undefined {
  const outside = raw.split('\n');
  const lines = inner.split('\n');
  const prefixes: string[] = [];
  for (const [at, line] of lines.entries()) {
    const around = outside[at];
    if (around === undefined || !around.endsWith(line)) return undefined;
    prefixes.push(around.slice(0, around.length - line.length));
  }
  const changed = change(inner);
  if (changed === inner) return raw;
  const later = new Set(prefixes.slice(1).filter((_, at) => lines[at + 1] !== ''));
  const [only = usual] = later;
  const prefix = later.size > 1 ? usual : only;
  const nested = changed.split('\n').map((line, at) => {
    if (at === 0) return `${prefixes[0]}${line}`;
    return line === '' ? prefix.trimEnd() : `${prefix}${line}`;
  });
  return [...nested, ...outside.slice(lines.length)].join('\n');
}
