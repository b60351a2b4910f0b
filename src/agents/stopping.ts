// Notes agents whose maker has ended as stopped: in their file, so that they stay stopped, and once in the audit.
import type { SiteMakers } from '../access/link-makers.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Logger } from '../lib/logger.ts';
import { whyStopped, withMaker } from './activation.ts';
import type { AgentFile } from './agent.ts';
import type { AgentFiles } from './agent-files.ts';

export interface StopParts {
  files: Pick<AgentFiles, 'change'>;
  makers: SiteMakers;
  /** Records in the audit that an agent has stopped. */
  recordStop(agentId: string, name: string, reason: string): Promise<void>;
  logger: Pick<Logger, 'error' | 'warn'>;
  now(): Date;
}

export interface Stops {
  /** The agent as it may run now. @throws storage_full */
  settle(file: AgentFile): Promise<AgentFile>;
  /** The same for reading: on a full disk the agent is returned as it is. */
  settleIfPossible(file: AgentFile): Promise<AgentFile>;
}

/** `endRuns` ends what runs of an agent. */
export function createStops(
  { files, makers, recordStop, logger, now }: StopParts,
  endRuns: (agentId: string) => void,
): Stops {
  async function settle(file: AgentFile): Promise<AgentFile> {
    const { id, config } = file;
    const known = withMaker(file, makers);
    const reason = config.active && !known.stopped ? whyStopped(known, makers) : undefined;
    if (known === file && reason === undefined) return file;
    let isNew = false;
    const settled = await files.change(id, (at) => {
      const next = withMaker(at, makers);
      isNew = reason !== undefined && !next.stopped && whyStopped(next, makers) !== undefined;
      return isNew ? { ...next, stopped: { at: now().toISOString(), reason: reason! } } : next;
    });
    if (!isNew) return settled;
    logger.warn({ agent: id, reason }, 'an agent stopped with the credentials that activated it');
    endRuns(id);
    await recordStop(id, config.name, reason!).catch((error) => {
      logger.error({ err: error, agent: id }, 'the audit could not be written');
    });
    return settled;
  }

  return {
    settle,
    settleIfPossible: (file) =>
      settle(file).catch((error) => {
        if (!(error instanceof ServiceError)) throw error;
        return file;
      }),
  };
}
