// What of this machine a build may read: the system's folders, a few files of /etc, the service's own Node, and what the
// operator lists. Must not show the data folder, the site's folder or a home, wherever they are.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';

export interface BoundPlace {
  source: string;
  target: string;
}

export interface MachineFolders {
  /** Symbolic links of the root, such as /bin: `source` is what they say. */
  links: readonly BoundPlace[];
  system: readonly BoundPlace[];
  /** Folders below those that are empty for a build. */
  hiddenInSystem: readonly string[];
  listed: readonly BoundPlace[];
  hiddenInListed: readonly string[];
  /** PATH of a build. */
  searchPath: string;
}

export interface MachineFoldersParts {
  /** PATH of the service. */
  searchPath: string | undefined;
  /** CMS_BUILD_PATHS. */
  listed: readonly string[];
  /** Absolute; need not exist. */
  hidden: readonly string[];
  /** The program of the service's own Node. */
  node?: string;
}

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];
/** What programs need to start, to find names and to trust certificates. No keys, no accounts, no settings of services. */
const OF_ETC = [
  ...['alternatives', 'ca-certificates', 'ca-certificates.conf', 'crypto-policies', 'fonts', 'gai.conf', 'host.conf'],
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'magic', 'mime.types', 'nsswitch.conf', 'os-release'],
  ...['pki/ca-trust/extracted', 'pki/tls/certs', 'pki/tls/cert.pem', 'protocols', 'services', 'ssl/cert.pem'],
  ...['ssl/certs', 'ssl/openssl.cnf', 'timezone'],
];
const OWN_PROGRAMS = '/colophon/bin';
const STANDARD_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];

export function listMachineFolders(parts: MachineFoldersParts): MachineFolders {
  const { searchPath = '', node = process.execPath } = parts;
  const links: BoundPlace[] = [];
  const system: BoundPlace[] = [{ source: fs.realpathSync(node), target: `${OWN_PROGRAMS}/node` }];
  for (const folder of SYSTEM) {
    const about = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (about?.isSymbolicLink()) links.push({ source: fs.readlinkSync(folder), target: folder });
    else if (about?.isDirectory()) system.push({ source: folder, target: folder });
  }
  for (const name of OF_ETC) {
    const source = path.join('/etc', name);
    if (fs.existsSync(source)) system.push({ source, target: source });
  }
  const listed = parts.listed.flatMap((folder) => {
    const source = findReal(folder);
    return source === undefined ? [] : [{ source, target: folder }];
  });
  const hidden = parts.hidden.flatMap((folder) => findReal(folder) ?? []);
  const visible = searchPath.split(path.delimiter).filter((folder) => {
    const real = path.isAbsolute(folder) ? findReal(folder) : undefined;
    if (real === undefined) return false;
    if (listed.some(({ target }) => isIn(target, folder))) return true;
    return SYSTEM.some((other) => isIn(other, real)) && !hidden.some((one) => isIn(one, real));
  });
  return {
    ...{ links, system, listed },
    hiddenInSystem: hidden.filter((folder) => SYSTEM.some((other) => isIn(other, folder))),
    hiddenInListed: listed.flatMap(({ source, target }) =>
      hidden
        .filter((folder) => folder !== source && isIn(source, folder))
        .map((folder) => path.join(target, path.relative(source, folder))),
    ),
    searchPath: [...new Set([OWN_PROGRAMS, ...visible, ...STANDARD_PATH])].join(path.delimiter),
  };
}

/** Undefined if there is nothing there. */
function findReal(file: string): string | undefined {
  try {
    return fs.realpathSync(file);
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) return undefined;
    throw error;
  }
}

function isIn(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
