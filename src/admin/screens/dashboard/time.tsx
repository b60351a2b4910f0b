import { toExact, toRelative } from '../../text/times.ts';

export function Time({ at }: { at: string }) {
  return (
    <time datetime={at} title={toExact(at)}>
      {toRelative(at, Date.now())}
    </time>
  );
}
