// The items in memory: id, status and agent of each, in order, and the counts. Their contents stay on the disk. It knows
// nothing about files.
import { type CurationItem, ITEM_STATUSES, type ItemStatus } from './item.ts';

export interface ItemEntry {
  id: string;
  status: ItemStatus;
  agentId: string | null;
  agentName: string;
  hasFeedback: boolean;
}

export type ItemCounts = Record<ItemStatus, number>;

export interface AgentItemCounts extends ItemCounts {
  agentId: string | null;
  agentName: string;
}

export interface PageOfItems {
  isWanted(entry: ItemEntry): boolean;
  limit: number;
  offset: number;
}

export interface ItemIndex {
  has(id: string): boolean;
  /** Adds the entry, or replaces it. */
  put(entry: ItemEntry): void;
  remove(id: string): void;
  /** Newest first; `total` counts all that are wanted. */
  page(query: PageOfItems): { ids: string[]; total: number };
  counts(): ItemCounts;
  byAgent(): AgentItemCounts[];
}

export function toItemEntry({ id, status, agentId, agentName, feedback }: CurationItem): ItemEntry {
  return { id, status, agentId, agentName, hasFeedback: feedback !== null && feedback !== '' };
}

export function createItemIndex(): ItemIndex {
  const byId = new Map<string, ItemEntry>();
  /** Ids sort by time; the oldest is first, so that a new one is appended at the end. */
  const inOrder: string[] = [];
  const counts = noItems();
  const agents = new Map<string, AgentItemCounts>();

  function countsOf({ agentId, agentName }: ItemEntry): AgentItemCounts {
    const key = agentId ?? `: ${agentName}`;
    const known = agents.get(key) ?? { agentId, agentName, ...noItems() };
    agents.set(key, known);
    return known;
  }

  function count(entry: ItemEntry, by: 1 | -1): void {
    counts[entry.status] += by;
    countsOf(entry)[entry.status] += by;
  }

  return {
    has: (id) => byId.has(id),
    put(entry) {
      const known = byId.get(entry.id);
      if (known) count(known, -1);
      else insert(inOrder, entry.id);
      byId.set(entry.id, entry);
      count(entry, 1);
    },
    remove(id) {
      const known = byId.get(id);
      if (!known) return;
      count(known, -1);
      byId.delete(id);
      inOrder.splice(inOrder.lastIndexOf(id), 1);
    },
    page({ isWanted, limit, offset }) {
      const ids: string[] = [];
      let total = 0;
      for (let at = inOrder.length - 1; at >= 0; at--) {
        const entry = byId.get(inOrder[at]!)!;
        if (!isWanted(entry)) continue;
        if (total >= offset && ids.length < limit) ids.push(entry.id);
        total++;
      }
      return { ids, total };
    },
    counts: () => ({ ...counts }),
    byAgent: () => [...agents.values()].map((one) => ({ ...one })),
  };
}

function noItems(): ItemCounts {
  return Object.fromEntries(ITEM_STATUSES.map((status) => [status, 0])) as ItemCounts;
}

function insert(ids: string[], id: string): void {
  let at = ids.length;
  while (at > 0 && ids[at - 1]! > id) at--;
  ids.splice(at, 0, id);
}
