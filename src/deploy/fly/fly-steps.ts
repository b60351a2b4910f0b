// The steps that make a machine on Fly. Each looks before it makes, so that it may be repeated after a crash; each says
// whether it made something, so that a clean-up removes that and nothing else.
import { HostError } from '../providers/host-error.ts';
import { type FlyApi, NoCapacityError } from './fly-api.ts';
import type { FlyMachine, FlyVolume } from './fly-shapes.ts';

/** Metadata of our machines: what the machine is for. */
export const ROLE = 'colophon_role';

/** Called before and after something is made: whoever resumes must know of it whenever the process ends. */
export interface Made {
  app?(app: string): Promise<void>;
  volume?(id: string): Promise<void>;
  machine?(id: string): Promise<void>;
  ip?(ip: string): Promise<void>;
}

/** The organisation of the token, unless it is named. @throws HostError if the token has several */
export async function findOrganization(api: FlyApi, named: string): Promise<string> {
  if (named !== '') return named;
  const found = await api.listOrganizations();
  if (found.length === 1) return found[0]!;
  const what =
    found.length === 0 ? 'does not name its organisation' : `is of several organisations (${found.join(', ')})`;
  throw new HostError('refused_input', `the Fly token ${what}: set flyOrg to the slug of the one to use`);
}

/** @throws HostError `conflict` if somebody else has the name */
export async function ensureApp(api: FlyApi, app: string, organization: string, made: Made = {}): Promise<void> {
  const found = await api.findApp(app);
  if (found === 'ours') return;
  if (found === 'foreign') throw nameTaken(app);
  await made.app?.(app);
  try {
    await api.createApp(app, await findOrganization(api, organization));
  } catch (error) {
    if (!(error instanceof HostError) || error.reason === 'refused_token') throw error;
    // 422 is a name that is taken: by others, or by our own request whose answer was lost.
    const taken = await api.findApp(app);
    if (taken === 'foreign') throw nameTaken(app);
    if (taken === undefined) throw error;
  }
}

function nameTaken(app: string): HostError {
  return new HostError(
    'conflict',
    `the name "${app}" is taken on Fly, or the token may not see the app: choose another name, which must be unique over all of Fly`,
  );
}

/** A volume pins its machine to its region, so that one that exists decides over `region`. */
export async function ensureVolume(
  api: FlyApi,
  app: string,
  { name, region, machine }: { name: string; region: string; machine: string | undefined },
  made: Made = {},
): Promise<FlyVolume> {
  const volumes = (await api.listVolumes(app)).filter((volume) => volume.name === name && isThere(volume.state));
  const mine = volumes.find((volume) => machine !== undefined && volume.attached_machine_id === machine);
  const free = volumes.find((volume) => !volume.attached_machine_id);
  const found = mine ?? free;
  if (found) return found;
  if (volumes.length > 0) {
    throw new HostError(
      'conflict',
      `volume "${name}" of app "${app}" is attached to a machine that Colophon did not make: choose another flyVolumeName`,
    );
  }
  try {
    const volume = await api.createVolume(app, { name, region, sizeGb: 1 });
    await made.volume?.(volume.id);
    return volume;
  } catch (error) {
    throw await withRegions(api, region, error);
  }
}

/** The machine with this role; machines of others are left alone. */
export async function findMachine(api: FlyApi, app: string, role: string): Promise<FlyMachine | undefined> {
  const machines = (await api.listMachines(app)).filter(({ state }) => isThere(state));
  const ours = machines.find(({ config }) => config?.metadata?.[ROLE] === role);
  if (!ours && machines.length > 0) {
    throw new HostError(
      'conflict',
      `app "${app}" has machines that Colophon did not make for this: choose another name, or remove them`,
    );
  }
  return ours;
}

/** Without an address there is no route to the app. Returns nothing: who needs an address asks for the list. */
export async function ensureIps(api: FlyApi, app: string, made: Made = {}): Promise<string[]> {
  const found = await api.listIps(app);
  const missing = [
    ...(found.some(({ ip }) => !ip.includes(':')) ? [] : (['shared_v4'] as const)),
    ...(found.some(({ ip }) => ip.includes(':') && !ip.startsWith('fdaa:')) ? [] : (['v6'] as const)),
  ];
  const all = found.map(({ ip }) => ip);
  for (const type of missing) {
    const ip = await api.assignIp(app, type);
    await made.ip?.(ip);
    all.push(ip);
  }
  return all;
}

/** Names regions that may have room, if the error is that this one has none. */
export async function withRegions(api: FlyApi, region: string, error: unknown): Promise<unknown> {
  if (!(error instanceof NoCapacityError)) return error;
  const regions = await api.listRegions().catch(() => []);
  const others = regions.filter(({ code }) => code !== region).slice(0, 4);
  const named = others.map(({ code, name }) => `${code} (${name})`).join(', ');
  return new NoCapacityError(
    'host_failed',
    `Fly has no room for a machine in region "${region}" now: choose another region${named ? `, such as ${named}` : ''}`,
    { status: error.status, cause: error },
  );
}

function isThere(state: string | null | undefined): boolean {
  return !['destroyed', 'destroying', 'pending_destroy', 'scheduling_destroy'].includes(state ?? '');
}
