// Files of this program that are named at run time: threads, programs, modules for configurations. The compiler
// rewrites imports but not such names, so the name gets its extension from the module that uses it.

/**
 * `name`, which has no extension, beside the module at `url`: TypeScript in a checkout, JavaScript in an installed
 * package.
 */
export function siblingUrl(url: string, name: string): URL {
  const ending = /\.[jt]s(?=$|\?)/.exec(url)?.[0];
  if (ending === undefined) throw new Error(`${url} is not a module of this program`);
  return new URL(`${name}${ending}`, url);
}
