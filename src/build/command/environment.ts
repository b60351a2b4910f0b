// The environment of a build command: what decisions.md lists, and nothing else of the service's own. Pure.
import path from 'node:path';

export interface BuildVariables {
  /** `build.env` of the configuration. */
  env: Readonly<Record<string, string>>;
  /** Where the service answers; empty if it does not know. */
  url: string;
  adminUrl: string;
  site: string;
  commit: string;
  profile: string;
}

/** The parts of a build's folder. */
export interface BuildFolder {
  path: string;
  /** The tree of the commit, in which the command starts. */
  tree: string;
  home: string;
  temporary: string;
}

export function toBuildFolder(folder: string): BuildFolder {
  const at = (name: string): string => path.join(folder, name);
  return { path: folder, tree: at('tree'), home: at('home'), temporary: at('tmp') };
}

/** Later ones win: a configuration may choose PATH, but not what tells the command which build it is. */
export function toEnvironment(
  { env, url, adminUrl, site, commit, profile }: BuildVariables,
  { home, temporary }: Pick<BuildFolder, 'home' | 'temporary'>,
  searchPath?: string,
): Record<string, string> {
  return {
    ...(searchPath === undefined ? {} : { PATH: searchPath }),
    ...{ HOME: home, TMPDIR: temporary, CI: '1' },
    ...env,
    ...{ CMS_URL: url, CMS_ADMIN_URL: adminUrl, CMS_SITE: site, CMS_COMMIT: commit, CMS_PROFILE: profile },
  };
}
