// The build profiles of a configuration, with the defaults of `build` filled in. Pure.
import type { SiteConfig } from '../config/site-config.ts';
import { invalid } from '../lib/errors.ts';
import type { BuildProfile } from './build.ts';

/** The only profile of a configuration that names none. */
const ONLY = 'default';
const OUT_DIR = 'dist';
/** Seconds. */
const TIMEOUT = 300;

/** What a build is given besides its profile. */
export interface BuildLimits {
  timeoutMs: number;
  /** Variables of the command, from the configuration. */
  env: Readonly<Record<string, string>>;
}

type BuildConfig = Pick<SiteConfig, 'build'>;

/** A profile without a command of its own has that of `build`; with neither it is made by the static builder. */
export function toBuildProfiles({ build }: BuildConfig): BuildProfile[] {
  const profiles = build?.profiles?.length ? build.profiles : [{ name: ONLY }];
  return profiles.map(({ name, ...own }: { name: string; command?: string; outDir?: string; drafts?: boolean }) => ({
    name,
    command: own.command ?? build?.command,
    outDir: own.outDir ?? build?.outDir ?? OUT_DIR,
    drafts: own.drafts ?? false,
  }));
}

/**
 * The profile of that name, or the default one: `defaultProfile`, else the first. @throws 400 that names the known ones
 */
export function getBuildProfile(config: BuildConfig, name = config.build?.defaultProfile): BuildProfile {
  const profiles = toBuildProfiles(config);
  const found = name === undefined ? profiles[0] : profiles.find((profile) => profile.name === name);
  if (found) return found;
  const known = profiles.map((profile) => `"${profile.name}"`).join(', ');
  throw invalid(`there is no build profile "${name}"; the site has ${known}`);
}

/** What a configuration says about how commands run. */
export function toBuildLimits({ build }: BuildConfig): BuildLimits {
  return { timeoutMs: (build?.timeout ?? TIMEOUT) * 1000, env: build?.env ?? {} };
}
