// Which module is the screen of a path, as the admin's table of screens says it: the page names its files, so that a
// browser asks for them together with the first script. Pure.

export interface ScreenModule {
  /** As in `routes.tsx`: `:name`, `:name?` and `:name*` stand for parts. */
  path: string;
  /** Below the sources of the admin. */
  module: string;
  /** In front of the door, or in the shell of a signed-in user. */
  place: string;
}

/** @throws Error if a screen is written in a way that is not known here. */
export function readScreens(routes: string): ScreenModule[] {
  const found = routes.matchAll(
    /path: '([^']+)',\s+place: '(\w+)',\s+Screen: screen\(\(\) => import\('\.\/([^']+)'\)\)/g,
  );
  const screens = [...found].map(([, path, place, module]) => ({ path: path!, place: place!, module: module! }));
  const count = routes.split("import('").length - 1;
  if (screens.length < count) throw new Error(`routes.tsx has ${count} screens, ${screens.length} can be read`);
  return screens;
}

/** Whether `address`, a path without a query, is one of `path`. */
export function isScreenAt(path: string, address: string): boolean {
  const pattern = path.replace(/\/:\w+([?*]?)/g, (_, many: string) => {
    if (many === '*') return '(?:/.*)?';
    return many === '?' ? '(?:/[^/]+)?' : '/[^/]+';
  });
  return new RegExp(`^${pattern}/?$`).test(address);
}
