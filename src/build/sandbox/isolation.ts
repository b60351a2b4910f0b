// Decides how the commands of a site run: in a container if the site names an image, else in bwrap, else not, unless the
// operator allows it and nobody else has a word in the site. Pure.
import type { UserIds } from './builder-user.ts';
import type { BuildNetwork, SandboxPrograms } from './bwrap.ts';
import type { MachineFolders } from './machine-folders.ts';
import type { Machine } from './probe.ts';

export interface BwrapIsolation {
  kind: 'bwrap';
  programs: SandboxPrograms;
  folders: MachineFolders;
  builder: UserIds | undefined;
  network: BuildNetwork;
  /** For the log of each build; empty if there is nothing to say. */
  remark: string;
}

export interface DockerIsolation {
  kind: 'docker';
  network: string;
}

export type Isolation = BwrapIsolation | DockerIsolation | { kind: 'unconfined'; remark: string };

export interface IsolationQuestion {
  machine: Machine;
  folders: MachineFolders;
  builder: UserIds | undefined;
  wantsNetwork: boolean;
  /** CMS_BUILDS=unconfined. */
  isUnconfined: boolean;
  /** Who, besides admins of all sites, may have written what a build runs; undefined if nobody. */
  outsider: string | undefined;
}

/** Returns the reason if the commands may not run. */
export function chooseIsolation(question: IsolationQuestion): Exclude<Isolation, DockerIsolation> | string {
  const { machine, folders, builder, isUnconfined, outsider } = question;
  const { programs, problem } = machine;
  if (programs) return { kind: 'bwrap', programs, folders, builder, ...chooseNetwork(question, programs) };
  if (isUnconfined && outsider === undefined)
    return { kind: 'unconfined', remark: 'This command runs unconfined, with the rights of the service' };
  const install = `a build by command needs bwrap, which does not work here (${problem}): install bubblewrap, or name a container in build.docker`;
  if (isUnconfined) return `${install}; CMS_BUILDS=unconfined does not count for this site, because ${outsider}`;
  return outsider === undefined ? `${install}, or set CMS_BUILDS=unconfined` : install;
}

function toNetworkHint(problem: string | undefined): string {
  return problem !== undefined && /\btun\b/.test(problem)
    ? 'give it the device /dev/net/tun'
    : 'install passt and iproute2';
}

function chooseNetwork(
  { machine: { networkProblem }, wantsNetwork, outsider }: IsolationQuestion,
  programs: SandboxPrograms,
): Pick<BwrapIsolation, 'network' | 'remark'> {
  if (!wantsNetwork) return { network: 'none', remark: 'This build has no network (CMS_BUILD_NETWORK=off)' };
  if (programs.network) return { network: 'public', remark: '' };
  // What an admin of all sites writes reaches no more than that admin does.
  if (outsider === undefined) return { network: 'machine', remark: '' };
  const why = `this machine cannot keep it from private addresses (${networkProblem}); ${toNetworkHint(networkProblem)}`;
  return { network: 'none', remark: `This build has no network: ${why}` };
}

/** For /readyz and the log of the service; undefined if builds run as they should. */
export function toWarning({ machine, wantsNetwork, isUnconfined }: Omit<IsolationQuestion, 'outsider'>) {
  const { programs, problem, networkProblem } = machine;
  if (!programs)
    return isUnconfined
      ? `builds by command run unconfined (CMS_BUILDS=unconfined) for sites that admins of all sites alone write to: bwrap does not work here (${problem})`
      : `builds by command are refused, unless in a container: bwrap does not work here (${problem}); install bubblewrap`;
  if (!wantsNetwork || programs.network) return undefined;
  return (
    `builds by command have no network, and those of sites that admins of all sites alone write to have that of this machine, private addresses included ` +
    `(${networkProblem}); ${toNetworkHint(networkProblem)}, or set CMS_BUILD_NETWORK=off`
  );
}
