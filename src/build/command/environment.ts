// The environment of a build command: what decisions.md lists, and nothing else of the service's own. Pure.
import type { BuildFolder } from '../sandbox/build-folder.ts';

export interface BuildVariables {
  /** `build.env` of the configuration. */
  env: Readonly<Record<string, string>>;
  /** Address of the service; empty if it is not known. */
  url: string;
  adminUrl: string;
  site: string;
  commit: string;
  profile: string;
}

/** Later ones win: a configuration may choose PATH, but not the variables that identify the build. */
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
