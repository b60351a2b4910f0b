// Merges two versions of a JSON value that were made from the same one: texts, also those inside objects with the same
// keys, and rich text as a ProseMirror document, block by block. If both sides changed any other value, ours stays.
import { isEqual } from '../../equal.ts';
import { isObject } from '../../json.ts';
import type { Sequence } from './changes.ts';
import { mergeTexts } from './merge-text.ts';
import { findRegions } from './regions.ts';

export interface MergedValue {
  value: unknown;
  /** Whether a change of theirs is not in the value. */
  isTheirsLost: boolean;
}

type Merge = (before: unknown, ours: unknown, theirs: unknown) => MergedValue;

/** `undefined` is a value that does not exist. */
export function mergeValues(before: unknown, ours: unknown, theirs: unknown): MergedValue {
  if (isEqual(theirs, before) || isEqual(ours, theirs)) return { value: ours, isTheirsLost: false };
  if (isEqual(ours, before)) return { value: theirs, isTheirsLost: false };
  if (typeof before === 'string' && typeof ours === 'string' && typeof theirs === 'string') {
    const { text, isTheirsLost } = mergeTexts(before, ours, theirs);
    return { value: text, isTheirsLost };
  }
  if (isObject(before) && isObject(ours) && isObject(theirs)) {
    const all = [before, ours, theirs];
    if (all.every(isRichText)) return mergeNodes(before, ours, theirs);
    // Half of a place on a map from each side is neither's, but texts stand for themselves.
    if (differsInTexts(before, ours) && differsInTexts(before, theirs)) {
      return mergeKeys(before, ours, theirs, mergeValues);
    }
  }
  return { value: ours, isTheirsLost: true };
}

function isRichText(value: Record<string, unknown>): boolean {
  return value.type === 'doc' && Array.isArray(value.content);
}

function differsInTexts(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return true;
  if (!isObject(one) || !isObject(other)) return isEqual(one, other);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && differsInTexts(one[key], other[key]))
  );
}

type Keyed = Record<string, unknown>;

function mergeKeys(before: Keyed, ours: Keyed, theirs: Keyed, merge: Merge): MergedValue {
  const value: Keyed = {};
  let isTheirsLost = false;
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const of = (side: Keyed): unknown => (Object.hasOwn(side, key) ? side[key] : undefined);
    const merged = merge(of(before), of(ours), of(theirs));
    if (merged.value !== undefined) value[key] = merged.value;
    isTheirsLost ||= merged.isTheirsLost;
  }
  return { value, isTheirsLost };
}

/** Blocks, and the pieces of text in them. */
const mergeNodes: Merge = (before, ours, theirs) => {
  if (isEqual(theirs, before) || isEqual(ours, theirs)) return { value: ours, isTheirsLost: false };
  if (isEqual(ours, before)) return { value: theirs, isTheirsLost: false };
  if (Array.isArray(before) && Array.isArray(ours) && Array.isArray(theirs)) return mergeLists(before, ours, theirs);
  if (isObject(before) && isObject(ours) && isObject(theirs)) {
    const isSameKind = before.type === ours.type && before.type === theirs.type;
    if (isSameKind) return mergeKeys(before, ours, theirs, mergeNodes);
  }
  if (typeof before === 'string' && typeof ours === 'string' && typeof theirs === 'string') {
    const { text, isTheirsLost } = mergeTexts(before, ours, theirs);
    return { value: text, isTheirsLost };
  }
  return { value: ours, isTheirsLost: true };
};

const STEPS = 1_000_000;

function mergeLists(before: unknown[], ours: unknown[], theirs: unknown[]): MergedValue {
  const numbers = new Map<string, number>();
  const toSequence = (nodes: unknown[]): Sequence =>
    Int32Array.from(nodes, (node) => {
      const text = JSON.stringify(node);
      if (!numbers.has(text)) numbers.set(text, numbers.size);
      return numbers.get(text)!;
    });
  const sides = [toSequence(before), toSequence(ours), toSequence(theirs)] as const;
  const value: unknown[] = [];
  let isTheirsLost = false;
  for (const region of findRegions(...sides, 'sharing', { steps: STEPS })) {
    const cut = (nodes: unknown[], { start, end }: { start: number; end: number }) => nodes.slice(start, end);
    const [b, o, t] = [cut(before, region.base), cut(ours, region.ours), cut(theirs, region.theirs)];
    if (region.from !== 'both') {
      value.push(...(region.from === 'theirs' ? t : o));
      continue;
    }
    const isPaired = b.length === o.length && b.length === t.length;
    const merged = isPaired ? b.map((node, i) => mergeNodes(node, o[i], t[i])) : [];
    value.push(...(isPaired ? merged.map((one) => one.value) : o));
    isTheirsLost ||= !isPaired || merged.some((one) => one.isTheirsLost);
  }
  return { value, isTheirsLost };
}
