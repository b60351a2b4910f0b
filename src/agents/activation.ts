// With whose credentials an agent was activated, and when it stops: with the access token, or with the sessions of the
// account as they were then. A stopped agent stays stopped until an admin saves it.
import type { SiteMakers } from '../access/link-makers.ts';
import type { Permission, Principal } from '../access/principal.ts';
import type { AgentFile } from './agent.ts';

/** Who activates an agent must still be able to. */
const NEEDED: Permission = 'org:settings:write';

export type Activation = Pick<AgentFile, 'activatedBy' | 'activatedWith' | 'maker' | 'stopped'>;

/** Whose rights scheduled runs have. */
export function toActivation(makers: Pick<SiteMakers, 'of'>, { userId, tokenId }: Principal): Activation {
  return { activatedBy: userId, activatedWith: null, maker: makers.of({ userId, tokenId }), stopped: undefined };
}

/** Files of earlier versions name the account alone: what a session activated ends with the sessions that are valid now. */
export function withMaker(file: AgentFile, makers: Pick<SiteMakers, 'of'>): AgentFile {
  const { activatedBy, activatedWith, maker, stopped } = file;
  if (maker || stopped || activatedWith !== null) return file;
  const found = makers.of({ userId: activatedBy, tokenId: null });
  return found ? { ...file, maker: found } : file;
}

/** Why the agent stops, or has stopped; undefined while it may run. */
export function whyStopped(
  { activatedBy, activatedWith, maker, stopped }: Activation,
  makers: Pick<SiteMakers, 'whyEnded'>,
): string | undefined {
  if (stopped) return stopped.reason;
  if (maker) return makers.whyEnded(maker, NEEDED);
  if (activatedWith !== null) return 'an earlier version did not record which access token it was';
  return activatedBy === null ? 'it is not recorded whose they were' : 'the account is gone';
}

/** Whose rights a scheduled run has by now. */
export function activatorOf({ maker, stopped }: Activation, makers: Pick<SiteMakers, 'find'>): Principal | undefined {
  return maker && !stopped ? makers.find(maker) : undefined;
}
