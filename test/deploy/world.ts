// The whole service with a host and a builder in memory.
import type { Deploy } from '../../src/deploy/deploy.ts';
import { makeWorld, type World, type WorldOptions } from '../support/world.ts';
import { type FakeHost, makeHost } from './fakes.ts';

export interface DeployWorld extends World {
  host: FakeHost;
  /** Triggers a deploy, and returns it. */
  trigger(body?: object): Promise<Deploy>;
  /** Waits until the deploy has ended, and returns it. */
  ended(id: string): Promise<Deploy>;
  /** Triggers one and waits for its end. */
  deployed(body?: object): Promise<Deploy>;
  list(): Promise<Deploy[]>;
}

export const TOKEN = 'token-of-the-fake-0123456789';

export async function makeDeployWorld(
  options: WorldOptions & { host?: Parameters<typeof makeHost>[0]; settings?: object } = {},
): Promise<DeployWorld> {
  const { host: change, settings, ...rest } = options;
  const host = makeHost(change);
  const world = await makeWorld({ findProvider: async () => host.provider, builds: host.builds, ...rest });
  const set = await world.admin.post('/api/admin/site-config', {
    deployProvider: 'vercel',
    vercelToken: TOKEN,
    ...settings,
  });
  if (set.status !== 200) throw new Error(set.text);

  async function trigger(body?: object): Promise<Deploy> {
    const { status, json, text } = await world.admin.post('/api/admin/deploy', body);
    if (status !== 200) throw new Error(`${status} ${text}`);
    return json.deploy;
  }

  async function ended(id: string): Promise<Deploy> {
    // The stream of the log ends with the deploy.
    await world.admin.get(`/api/admin/deploys/${id}/log`, { accept: 'text/event-stream' });
    return (await world.admin.get(`/api/admin/deploys/${id}`)).json;
  }

  const dispose = world[Symbol.asyncDispose].bind(world);
  // Getters of the world stay getters: a restart gives it another port.
  return Object.assign(world, {
    host,
    trigger,
    ended,
    deployed: async (body?: object) => ended((await trigger(body)).id),
    list: async () => (await world.admin.get('/api/admin/deploys')).json.deploys,
    async [Symbol.asyncDispose]() {
      await dispose();
      host.close();
    },
  });
}
