// What the new machine runs: an image with the command `colophon`, its site on the volume, written from the template at
// the first start. Pure.
import type { MachineConfig } from '../deploy/fly/fly-shapes.ts';
import { ROLE } from '../deploy/fly/fly-steps.ts';
import { toMachineConfig } from '../deploy/fly/machine-config.ts';
import type { Provision } from './provision.ts';

export const SERVICE_ROLE = 'service';
/** Metadata of the machine: the id of the provisioning that made it. */
export const PROVISION_KEY = 'colophon_provision';
export const SERVICE_VOLUME = 'colophon_data';
const MOUNT = '/data';
const PORT = 3010;
const START_FILE = '/colophon/start.sh';
/** The service and image variants do not fit into the 256 MB of the smallest machine. */
const MIN_MEMORY_MB = 512;
export const CONFIG_PATH = `${MOUNT}/site/content/cms.config.ts`;

/** The site gets its name once it is whole: a start that is cut off begins again. */
const START = `#!/bin/sh
set -eu
if [ ! -e "$CMS_CONFIG_PATH" ]; then
  rm -rf ${MOUNT}/new
  colophon init --template "$COLOPHON_TEMPLATE" ${MOUNT}/new
  mv ${MOUNT}/new ${MOUNT}/site
fi
cd ${MOUNT}/site
exec colophon start
`;

export function urlOf({ appName }: Pick<Provision, 'appName'>): string {
  return `https://${appName}.fly.dev`;
}

export function toServiceConfig(provision: Provision, volume: string): MachineConfig {
  const config = toMachineConfig({
    image: provision.image,
    vmSize: provision.vmSize,
    env: {
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      CMS_DATA_DIR: `${MOUNT}/service`,
      CMS_PUBLIC_URL: urlOf(provision),
      CMS_TRUST_PROXY: '1',
      COLOPHON_TEMPLATE: provision.template,
    },
    command: ['/bin/sh', START_FILE],
    files: { [START_FILE]: START },
    volume,
    mountPath: MOUNT,
    port: PORT,
    healthPath: '/healthz',
    metadata: { [ROLE]: SERVICE_ROLE, [PROVISION_KEY]: provision.id },
  });
  return { ...config, guest: { ...config.guest, memory_mb: Math.max(MIN_MEMORY_MB, config.guest.memory_mb) } };
}
