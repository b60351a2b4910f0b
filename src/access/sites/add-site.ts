// Adding a site over HTTP. A configuration is code that this process runs, so that it has to be one that the operator
// put below the folder for them; and whoever asks for another file must not learn anything about it.
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { AuditActor } from '../../audit/entry.ts';
import type { InfoLogger } from '../../data/info-logger.ts';
import { codeOf } from '../../lib/error-code.ts';
import { invalid, ServiceError } from '../../lib/errors.ts';
import type { NewSiteInput } from '../input.ts';
import type { SiteEntry, Sites } from './sites.ts';

/** @throws conflict if the id or a host is taken, invalid_input, always the same, for whatever is wrong with the file. */
export type AddSite = (input: NewSiteInput, by: AuditActor) => Promise<SiteEntry>;

export function createAddSite(parts: {
  sites: Sites;
  /** Undefined: no file will do. */
  sitesDir: string | undefined;
  /** What people uploaded is in it: never a configuration. */
  dataDir: string;
  logger: InfoLogger;
}): AddSite {
  const { sites, sitesDir, dataDir, logger } = parts;

  /** The file's own path, without links; undefined for one that may not be used. */
  async function find(configPath: string): Promise<string | undefined> {
    const asked = resolve(configPath);
    // Said before the disk is asked: how long that takes tells something too.
    if (sitesDir === undefined || !isBelow(sitesDir, asked)) return undefined;
    const [folder, file] = [await tryRealpath(sitesDir), await tryRealpath(asked)];
    if (folder === undefined || file === undefined || !isBelow(folder, file)) return undefined;
    return isBelow((await tryRealpath(dataDir)) ?? dataDir, file) ? undefined : file;
  }

  return async (input, by) => {
    const configPath = await find(input.configPath);
    if (configPath === undefined) {
      logger.info(
        { userId: by.id, path: input.configPath, sitesDir },
        'a site was not added: no file below CMS_SITES_DIR',
      );
      throw refusal();
    }
    try {
      return await sites.add({ ...input, configPath }, by);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_input') throw error;
      logger.info(
        { userId: by.id, path: configPath, problems: error.details },
        'a site was not added: its configuration',
      );
      throw refusal();
    }
  };
}

function refusal(): ServiceError {
  const message = 'must be the path of a valid configuration below CMS_SITES_DIR; the log says what is wrong';
  return invalid([{ path: 'configPath', message }]);
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Undefined if it is not there, or cannot be come to. */
async function tryRealpath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error)) return undefined;
    throw error;
  }
}
