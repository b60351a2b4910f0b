// The hosts by name. Each is loaded when a site first deploys to it, so that a start loads none of them.
import { ServiceError } from '../../lib/errors.ts';
import type { DeployProvider, ProviderName } from './provider.ts';

export type FindProvider = (name: ProviderName) => Promise<DeployProvider>;

const LOADERS: Partial<Record<ProviderName, () => Promise<DeployProvider>>> = {};

/** @throws unavailable for a host that this version does not deploy to yet. */
export const findProvider: FindProvider = (name) => {
  const load = LOADERS[name];
  if (!load) throw new ServiceError('unavailable', `this version does not deploy to "${name}"`);
  return load();
};
