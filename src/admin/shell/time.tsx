import { toExact, toRelative } from '../text/times.ts';
import { useAdmin } from './admin.ts';

/** How long ago, or how soon; exactly as its title. `at` is ISO 8601. */
export function Time({ at }: { at: string }) {
  const { now } = useAdmin();
  return (
    <time datetime={at} title={toExact(at)}>
      {toRelative(at, now().getTime())}
    </time>
  );
}
