// The files of /etc that a build gets in place of the machine's own.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import type { BuildNetwork } from './bwrap.ts';
import { NAME_SERVER } from './public-network.ts';

/** The user inside; programs ask for the name of their own. */
const PASSWD = `root:x:0:0:root:/:/usr/sbin/nologin
build:x:1000:1000:build:/colophon/home:/bin/sh
nobody:x:65534:65534:nobody:/:/usr/sbin/nologin
`;
const GROUP = 'root:x:0:\nbuild:x:1000:\nnogroup:x:65534:\n';
const HOSTS = '127.0.0.1 localhost\n::1 localhost\n';

/** `folder` exists. */
export async function writeEtcFiles(folder: string, network: BuildNetwork): Promise<void> {
  const files = {
    passwd: PASSWD,
    group: GROUP,
    hosts: network === 'machine' ? await readIfThere('/etc/hosts') : HOSTS,
    'resolv.conf': await toResolvConf(network),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await writeFile(file, text);
    // Whatever the umask of the service: another user reads it.
    await chmod(file, 0o644);
  }
}

async function toResolvConf(network: BuildNetwork): Promise<string> {
  if (network === 'none') return '';
  return network === 'public' ? `nameserver ${NAME_SERVER}\n` : readIfThere('/etc/resolv.conf');
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  }
}
