// Builds a site with its theme: reads the documents of a commit, plans pages, makes those that differ from the last
// build, and replaces the old site when everything is made. Pure: the same commit, theme, configuration and version give
// the same bytes, whatever was built before.
import { createBreathe } from '../../lib/queues/slices.ts';
import { nodeDisk } from '../../store/disk/disk.ts';
import { parseCommit } from '../../store/git/objects.ts';
import { createOdb } from '../../store/repository/odb.ts';
import { createBranch } from '../../store/repository/refs.ts';
import type { BuiltSite } from '../build.ts';
import { ThemeError } from '../theme/theme-error.ts';
import { makeSite } from './make-site.ts';
import { openSiteTheme } from './open-site-theme.ts';
import type { SiteTheme } from './pages/site-theme.ts';
import { PlanError } from './plan/plan-error.ts';
import type { SiteBuildCalls, SiteBuildOrder } from './site-build.ts';
import { stateKey } from './state-key.ts';
import { openOutput } from './write/output.ts';
import { DamagedState } from './write/pieces.ts';
import { prepareState, readState } from './write/state.ts';

/** @throws PlanError with what is wrong, and leaves the old site as it was */
export async function buildSite(order: SiteBuildOrder, calls: SiteBuildCalls): Promise<BuiltSite> {
  try {
    return await buildWith(order, calls, await openSiteTheme(order));
  } catch (error) {
    throw error instanceof ThemeError ? new PlanError([error.message]) : error;
  }
}

/** The same with any theme. */
export async function buildWith(order: SiteBuildOrder, calls: SiteBuildCalls, theme: SiteTheme): Promise<BuiltSite> {
  try {
    return await buildFrom(order, calls, theme);
  } catch (error) {
    if (!(error instanceof DamagedState)) throw error;
    return buildFrom({ ...order, isFull: true }, calls, theme);
  }
}

async function buildFrom(order: SiteBuildOrder, calls: SiteBuildCalls, theme: SiteTheme): Promise<BuiltSite> {
  const odb = createOdb(nodeDisk, order.repository);
  try {
    const commit = order.commit ?? createBranch(nodeDisk, order.repository).read();
    if (commit === null)
      throw new PlanError([`site "${order.siteId}" has no content yet; a start of the service plants some`]);
    const key = stateKey(order, theme);
    const output = openOutput(order.outDir);
    try {
      const saved = order.isFull ? undefined : readState(order.stateFolder, key);
      const state = saved?.listHash === output.listHash && odb.has(saved.commit) ? saved : undefined;
      const { tree } = parseCommit(odb.get(commit, 'commit'));
      const made = await makeSite({ order, calls, odb, commit, tree, theme, output, state, breathe: createBreathe() });
      await output.settled();
      calls.signal.throwIfAborted();
      let keepState: () => void = () => undefined;
      const files = output.finish((listHash) => {
        keepState = prepareState(order.stateFolder, { ...made.state, key, commit, listHash });
      });
      keepState();
      return { folder: order.outDir, files, commit, redirects: made.redirects };
    } catch (error) {
      await output.abandon();
      throw error;
    } finally {
      await output.close();
    }
  } finally {
    odb.close();
  }
}
