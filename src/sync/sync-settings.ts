// The environment of the sync server.
import { MIN_SECRET_LENGTH } from './signature.ts';

export interface SyncServerSettings {
  secret: string;
  port: number;
  /** Undefined for all addresses. */
  host: string | undefined;
  root: string;
}

const DEFAULT_PORT = 8080;
const DEFAULT_ROOT = '/srv';

/** @throws an Error that names the variable */
export function parseSyncSettings(variables: NodeJS.ProcessEnv): SyncServerSettings {
  const { SYNC_SECRET: secret = '', PORT, HOST, SITE_DATA_ROOT } = variables;
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new Error(`SYNC_SECRET must have at least ${MIN_SECRET_LENGTH} characters`);
  }
  const port = Number(PORT || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PORT "${PORT}" is not a port`);
  return { secret, port, host: HOST || undefined, root: SITE_DATA_ROOT || DEFAULT_ROOT };
}
