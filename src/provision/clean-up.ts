// Removes what a provisioning made, and nothing else: not an app that was there before, and not one in which somebody
// has made something since.
import type { FlyApi } from '../deploy/fly/fly-api.ts';
import type { FlyMachine } from '../deploy/fly/fly-shapes.ts';
import { PROVISION_KEY } from './machine.ts';
import { type MadeThings, NOTHING_MADE } from './provision.ts';

export interface CleanUpParts {
  api: FlyApi;
  id: string;
  appName: string;
  made: MadeThings;
  note(change: (made: MadeThings) => MadeThings): Promise<void>;
}

/** Returns what stays, in a sentence; undefined if nothing does. May be repeated. @throws HostError */
export async function cleanUp({
  api,
  id: provisionId,
  appName,
  made,
  note,
}: CleanUpParts): Promise<string | undefined> {
  if (!hasMade(made) || (await api.findApp(appName)) !== 'ours') {
    await note(() => NOTHING_MADE);
    return undefined;
  }
  // One whose making was not noted, because the answer was lost, names the provisioning.
  const machines = (await api.listMachines(appName)).filter(({ state }) => state !== 'destroyed');
  const isOurs = ({ id, config }: FlyMachine): boolean =>
    made.machines.includes(id) || config?.metadata?.[PROVISION_KEY] === provisionId;
  for (const { id } of machines.filter(isOurs)) await api.deleteMachine(appName, id);
  for (const id of made.volumes) await api.deleteVolume(appName, id);
  const isEmpty = machines.every(isOurs);
  if (made.app && isEmpty) {
    await api.deleteApp(appName);
  } else {
    for (const ip of made.ips) await api.releaseIp(appName, ip);
    if (made.secrets.length > 0) {
      await api.setSecrets(appName, Object.fromEntries(made.secrets.map((name) => [name, null])));
    }
  }
  await note(() => NOTHING_MADE);
  return made.app && !isEmpty ? `app "${appName}" stays: somebody has made something else in it` : undefined;
}

export function hasMade({ app, volumes, machines, ips, secrets }: MadeThings): boolean {
  return app || volumes.length + machines.length + ips.length + secrets.length > 0;
}
