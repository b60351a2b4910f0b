// Statistics of the queue. Pure.
import { z } from 'zod';
import type { AgentItemCounts, ItemCounts } from './item-index.ts';

const Counts = {
  total: z.int(),
  ready: z.int(),
  in_review: z.int(),
  approved: z.int(),
  rejected: z.int(),
  published: z.int(),
};

export const CurationStats = z
  .object({
    ...Counts,
    approvalRate: z
      .number()
      .nullable()
      .meta({ description: 'approved or published of all decided; null before the first' }),
    byAgent: z.array(z.object({ agentId: z.string().nullable(), agentName: z.string(), ...Counts })),
  })
  .meta({ id: 'CurationStats' });

export type CurationStats = z.output<typeof CurationStats>;

export function toStats(counts: ItemCounts, byAgent: readonly AgentItemCounts[]): CurationStats {
  const accepted = counts.approved + counts.published;
  const decided = accepted + counts.rejected;
  return {
    total: sum(counts),
    ...counts,
    approvalRate: decided === 0 ? null : accepted / decided,
    byAgent: byAgent.map((one) => ({ ...one, total: sum(one) })),
  };
}

function sum({ ready, in_review, approved, rejected, published }: ItemCounts): number {
  return ready + in_review + approved + rejected + published;
}
