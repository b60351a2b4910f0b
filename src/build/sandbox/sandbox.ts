// The sandbox of this process's builds: asks the machine once, and answers each site how its commands run.
import type { SiteConfig } from '../../config/site-config.ts';
import { invalid } from '../../lib/errors.ts';
import { toClientEnvironment, toDockerImage, toDockerNetwork } from '../command/docker.ts';
import { checkDocker } from '../command/docker-client.ts';
import { findBuilder } from './builder-user.ts';
import { chooseIsolation, type Isolation, toWarning } from './isolation.ts';
import { listMachineFolders } from './machine-folders.ts';
import { type Machine, probeMachine } from './probe.ts';

export interface BuildSandboxParts {
  /** The environment of the service: where programs and the server of docker are. */
  variables: Readonly<Record<string, string | undefined>>;
  /** CMS_BUILD_NETWORK. */
  wantsNetwork: boolean;
  /** CMS_BUILDS=unconfined. */
  isUnconfined: boolean;
  /** CMS_BUILD_PATHS. */
  paths: readonly string[];
  /** Folders that no build reads: data, homes, sites. */
  hidden: readonly string[];
  warn(message: string): void;
}

export interface BuildSandbox {
  /** Asks the machine, so that what it cannot do is known before the first build. */
  prepare(): Promise<void>;
  /**
   * `findOutsider` says who, besides admins of all sites, may have written what a build of the site runs. @throws 400
   * that says what to install
   */
  choose(build: SiteConfig['build'], findOutsider: () => string | undefined): Promise<Isolation>;
  /** For /readyz: what builds cannot have here. Empty while no site has a command. */
  warnings(): string[];
}

export function createBuildSandbox(parts: BuildSandboxParts): BuildSandbox {
  const { variables, wantsNetwork, isUnconfined, warn } = parts;
  const builder = findBuilder();
  let asked: Promise<Machine> | undefined;
  let warning: string | undefined;

  function listFolders() {
    return listMachineFolders({ searchPath: variables.PATH, listed: parts.paths, hidden: parts.hidden });
  }

  async function ask(): Promise<Machine> {
    const folders = listFolders();
    const machine = await probeMachine({ searchPath: variables.PATH, folders, builder, wantsNetwork });
    warning = toWarning({ machine, folders, builder, wantsNetwork, isUnconfined });
    if (warning !== undefined) warn(warning);
    return machine;
  }

  return {
    async prepare() {
      await (asked ??= ask());
    },
    async choose(build, findOutsider) {
      if (build?.docker !== undefined) {
        toDockerImage(build.docker);
        const network = toDockerNetwork(build.dockerNetwork, wantsNetwork);
        await checkDocker(toClientEnvironment(variables));
        return { kind: 'docker', network };
      }
      const machine = await (asked ??= ask());
      const question = { machine, folders: listFolders(), builder, wantsNetwork, isUnconfined };
      const chosen = chooseIsolation({ ...question, outsider: findOutsider() });
      if (typeof chosen === 'string') throw invalid(chosen);
      return chosen;
    },
    warnings: () => (warning === undefined ? [] : [warning]),
  };
}
