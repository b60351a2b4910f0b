// The command line that runs a build command in namespaces of its own (bwrap), with nothing of this machine but the
// system's folders, read-only, and the folder of the build. Pure: the same for a build and for the probe at the start.
import { type BuildFolder, HOME, TEMPORARY, TREE } from './build-folder.ts';
import type { UserIds } from './builder-user.ts';
import { toLimitedShell } from './limits.ts';
import type { BoundPlace, MachineFolders } from './machine-folders.ts';
import { inPublicNetwork, type NetworkPrograms } from './public-network.ts';

/** `machine` is the network of this machine, loopback included. */
export type BuildNetwork = 'none' | 'public' | 'machine';

export interface SandboxPrograms {
  bwrap: string;
  /** These two are of util-linux, and needed by root or for a network. */
  setpriv: string;
  unshare: string;
  /** Absent if the machine cannot make a network that is public alone. */
  network?: NetworkPrograms;
  /** False for a bwrap older than 0.8. */
  endsUserNamespaces: boolean;
}

export interface SandboxRun {
  programs: SandboxPrograms;
  folders: MachineFolders;
  folder: BuildFolder;
  network: BuildNetwork;
  /** Addresses of this machine. */
  ownAddresses: readonly string[];
  /** The user of the command if the service is root. */
  builder: UserIds | undefined;
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>;
  command: string;
}

/** Folders that every Linux has; root binds folders below one of them for a user who could not reach them. */
const REACHABLE = ['/mnt', '/media', '/dev/shm'];

/** A program and its arguments. */
export function toSandboxCommand(run: SandboxRun): [program: string, ...args: string[]] {
  const { programs, builder, folders, folder, network } = run;
  const reached: BoundPlace[] = [];
  const below = findReachable([...folders.system, ...folders.listed].map(({ source }) => source).concat(folder.path));
  /** Root may reach a folder whose parents the builder may not enter. */
  const reach = (source: string): string => {
    if (builder === undefined) return source;
    const target = `${below}/${reached.length}`;
    reached.push({ source, target });
    return target;
  };
  const inner = toInnerCommand(run, {
    read: [...folders.system, ...toEtcFiles(folder)].map((place) => ({ ...place, source: reach(place.source) })),
    listed: folders.listed.map((place) => ({ ...place, source: reach(place.source) })),
    write: [
      { source: reach(folder.tree), target: TREE },
      { source: reach(folder.home), target: HOME },
      ...toTemporaries(reach(folder.temporary)),
    ],
  });
  const networked = network === 'public' ? [...inPidNamespace(run), ...inner] : inner;
  if (builder === undefined) return networked as [string, ...string[]];
  return [...asBuilder(programs, builder, below, reached), ...networked] as unknown as [string, ...string[]];
}

/** pasta is no process of the inner namespace, so it gets one around it: all of them end together. */
function inPidNamespace({ programs: { setpriv, unshare, network }, ownAddresses }: SandboxRun): string[] {
  return [
    ...[setpriv, '--pdeathsig', 'KILL', '--', unshare, '--user', '--map-current-user'],
    ...['--pid', '--fork', '--kill-child=KILL', '--mount-proc', '--'],
    ...inPublicNetwork(network!, unshare, ownAddresses),
  ];
}

/** $1: a folder to mount at; then pairs of source and target up to `--`. */
const BIND_ALL = `mount -t tmpfs -o mode=755 colophon "$1" && shift || exit 1
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir "$2"; else : > "$2"; fi && mount --bind "$1" "$2" || exit 1
  shift 2
done
shift
exec "$@"`;

/** Only mounts: everything after it runs as the builder, without any right of root. */
function asBuilder(
  { setpriv, unshare }: SandboxPrograms,
  { uid, gid }: UserIds,
  below: string,
  reached: readonly BoundPlace[],
): string[] {
  return [
    ...[unshare, '--mount', '--propagation', 'private', '--', '/bin/sh', '-c', BIND_ALL, 'sh', below],
    ...reached.flatMap(({ source, target }) => [source, target]),
    ...['--', setpriv, '--reuid', String(uid), '--regid', String(gid), '--clear-groups'],
    ...['--bounding-set=-all', '--inh-caps=-all', '--'],
  ];
}

function findReachable(sources: readonly string[]): string {
  const isFree = (folder: string): boolean => !sources.some((source) => source.startsWith(`${folder}/`));
  return REACHABLE.find(isFree) ?? REACHABLE[0]!;
}

interface InnerPlaces {
  read: readonly BoundPlace[];
  listed: readonly BoundPlace[];
  write: readonly BoundPlace[];
}

function toInnerCommand(run: SandboxRun, { read, listed, write }: InnerPlaces): string[] {
  const { programs, folders, network, env, command } = run;
  const readOnly = (places: readonly BoundPlace[]) =>
    places.flatMap(({ source, target }) => ['--ro-bind', source, target]);
  const empty = (places: readonly string[]) => places.flatMap((place) => ['--tmpfs', place]);
  const hidden = [...folders.hiddenInSystem, ...folders.hiddenInListed];
  return [
    programs.bwrap,
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    // That of pasta is one already.
    ...(network === 'none' ? ['--unshare-net'] : []),
    ...(programs.endsUserNamespaces ? ['--disable-userns'] : []),
    ...['--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL', '--new-session', '--die-with-parent', '--clearenv'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...folders.links.flatMap(({ source, target }) => ['--symlink', source, target]),
    ...readOnly(read),
    ...empty(folders.hiddenInSystem),
    ...readOnly(listed),
    ...empty(folders.hiddenInListed),
    ...write.flatMap(({ source, target }) => ['--bind', source, target]),
    // Else they take as much memory as is written there.
    ...[...hidden, '/dev', '/'].flatMap((place) => ['--remount-ro', place]),
    ...['--chdir', TREE, '--', '/bin/sh', '-c', toLimitedShell(), 'sh', command],
  ];
}

/** On the disk, like the rest of the build; POSIX shared memory too. */
function toTemporaries(source: string): BoundPlace[] {
  return [TEMPORARY, '/tmp', '/var/tmp', '/dev/shm'].map((target) => ({ source, target }));
}

function toEtcFiles({ etc }: BuildFolder): BoundPlace[] {
  return ['passwd', 'group', 'hosts', 'resolv.conf'].map((name) => ({
    source: `${etc}/${name}`,
    target: `/etc/${name}`,
  }));
}
