// What one build by a command is given.
import type { SiteConfig } from '../../config/site-config.ts';
import type { BuildProfile } from '../build.ts';
import type { BuildLimits } from '../profiles.ts';
import type { Isolation } from '../sandbox/isolation.ts';
import type { BuildVariables } from './environment.ts';

export interface CommandBuildParts {
  repository: string;
  /** `<data>/sites/<id>/media`. */
  media: string;
  /** `<data>/sites/<id>/builds`. */
  builds: string;
  config: Pick<SiteConfig, 'build' | 'collections'>;
  /** The environment of the service, of which a command gets PATH, and the program `docker` where its server is. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Paths of files that the service does not show. */
  ignored(): readonly string[];
}

export interface CommandBuild extends Omit<BuildVariables, 'env' | 'profile'> {
  profile: BuildProfile & { command: string };
  limits: BuildLimits;
  /** Part of the names of its folder and container: unique. */
  id: string;
  isolation: Isolation;
  log(text: string): void;
  signal: AbortSignal;
}
