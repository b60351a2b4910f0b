// The user of build commands on a service that runs as root.

export interface UserIds {
  uid: number;
  gid: number;
}

/** `nobody`: owns no file, and its namespaces keep it from other processes of that name. */
const NOBODY: UserIds = { uid: 65534, gid: 65534 };

/** Undefined if the service is not root: then a user namespace is all that a user may have. */
export function findBuilder(): UserIds | undefined {
  return process.getuid?.() === 0 ? NOBODY : undefined;
}

/** UserIds for a container, which needs no rights of root to be another user. */
export function findContainerUser(): UserIds | undefined {
  const { getuid, getgid } = process;
  return findBuilder() ?? (getuid && getgid ? { uid: getuid.call(process), gid: getgid.call(process) } : undefined);
}
