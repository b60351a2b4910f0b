// The tables of a Markdown page, for the tests that compare the code with the documentation.

/**
 * The rows of all tables whose head begins with this cell; each cell without its code marks. @throws if there is no
 * such table.
 */
export function readTable(page: string, head: string): string[][] {
  const lines = page.split('\n');
  const starts = lines.flatMap((line, at) => (line.startsWith(`| ${head} |`) ? [at] : []));
  if (starts.length === 0) throw new Error(`there is no table of ${head}`);
  return starts.flatMap((start) => {
    const rest = lines.slice(start + 2);
    const end = rest.findIndex((line) => !line.startsWith('|'));
    return rest.slice(0, end < 0 ? undefined : end).map(toCells);
  });
}

function toCells(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('`', ''));
}
