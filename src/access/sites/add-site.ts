// Adds a site over HTTP. A configuration is code that this process runs, so it has to be a file that the operator put
// below CMS_SITES_DIR. A caller who names any other file must not learn anything about it.
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { AuditActor } from '../../audit/entry.ts';
import type { InfoLogger } from '../../data/info-logger.ts';
import { codeOf } from '../../lib/error-code.ts';
import { invalid, ServiceError } from '../../lib/errors.ts';
import type { NewSiteInput } from '../input.ts';
import type { SiteEntry, Sites } from './sites.ts';

/** @throws conflict if the id or a host is taken; the same invalid_input whatever is wrong with the file. */
export type AddSite = (input: NewSiteInput, by: AuditActor) => Promise<SiteEntry>;

export function createAddSite(parts: {
  sites: Sites;
  /** `CMS_SITES_DIR`; if undefined, every file is refused. */
  sitesDir: string | undefined;
  /** Holds uploads of users: no file in it is accepted as a configuration. */
  dataDir: string;
  logger: InfoLogger;
}): AddSite {
  const { sites, sitesDir, dataDir, logger } = parts;

  /** The file's path with links resolved; undefined if the file may not be used. */
  async function find(configPath: string): Promise<string | undefined> {
    const requested = resolve(configPath);
    // Refused without a look at the disk: how long that takes would reveal something, too.
    if (sitesDir === undefined || !isBelow(sitesDir, requested)) return undefined;
    const [folder, file] = [await tryRealpath(sitesDir), await tryRealpath(requested)];
    if (folder === undefined || file === undefined || !isBelow(folder, file)) return undefined;
    return isBelow((await tryRealpath(dataDir)) ?? dataDir, file) ? undefined : file;
  }

  return async (input, by) => {
    const configPath = await find(input.configPath);
    if (configPath === undefined) {
      logger.info(
        { userId: by.id, path: input.configPath, sitesDir },
        'a site was not added: its configuration is not a file below CMS_SITES_DIR',
      );
      throw refusal();
    }
    try {
      return await sites.add({ ...input, configPath }, by);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_input') throw error;
      logger.info(
        { userId: by.id, path: configPath, problems: error.details },
        'a site was not added: its configuration is not valid',
      );
      throw refusal();
    }
  };
}

function refusal(): ServiceError {
  const message = 'must be the path of a valid configuration below CMS_SITES_DIR; the process log has the reason';
  return invalid([{ path: 'configPath', message }]);
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Undefined if the path does not exist or cannot be reached. */
async function tryRealpath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error)) return undefined;
    throw error;
  }
}
