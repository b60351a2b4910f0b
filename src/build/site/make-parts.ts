// What the steps of a build share.
import type { Breathe } from '../../lib/queues/slices.ts';
import type { Oid } from '../../store/git/objects.ts';
import type { Odb } from '../../store/repository/odb.ts';
import type { SiteTheme } from './pages/site-theme.ts';
import type { SiteBuildCalls, SiteBuildOrder } from './site-build.ts';
import type { Output } from './write/output.ts';
import type { BuildState } from './write/state.ts';

export interface MakeParts {
  order: SiteBuildOrder;
  calls: SiteBuildCalls;
  odb: Odb;
  commit: Oid;
  /** The commit's. */
  tree: Oid;
  theme: SiteTheme;
  output: Output;
  /** The last build's, into this output; undefined if everything has to be made. */
  state: BuildState | undefined;
  breathe: Breathe;
}
