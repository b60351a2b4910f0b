// What became of a value: texts word by word, lists item by item, objects key by key.
import { diffArrays } from 'diff';
import type { ComponentChildren } from 'preact';
import { isEqual } from '../document/is-equal.ts';
import { t } from '../text/translate.ts';
import { Difference, toText } from './difference.tsx';
import { isRecord, toReadable } from './readable.ts';

/** Longer lists are compared as texts. */
const MAX_ITEMS = 500;

export interface ValueDifferenceProps {
  from: unknown;
  to: unknown;
}

export function ValueDifference({ from, to }: ValueDifferenceProps) {
  const [before, after] = [toReadable(from), toReadable(to)];
  if (isList(before) && isList(after) && (before.length > 0 || after.length > 0)) {
    return <ItemsDifference from={before} to={after} />;
  }
  if (isRecord(before) && isRecord(after)) return <KeysDifference from={before} to={after} />;
  // A new object has its keys too.
  if (isNothing(before) && isRecord(after)) return <KeysDifference from={{}} to={after} />;
  if (isNothing(before) && isList(after) && after.length > 0) return <ItemsDifference from={[]} to={after} />;
  if (isAtom(before) && isAtom(after) && before !== after) return <AtomDifference from={before} to={after} />;
  return <Difference from={toText(before)} to={toText(after)} />;
}

/** A number or a switch is replaced as a whole. */
function isAtom(value: unknown): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function AtomDifference({ from, to }: Record<'from' | 'to', number | boolean>) {
  return (
    <div class="version">
      <del>{String(from)}</del> <ins>{String(to)}</ins>
    </div>
  );
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_ITEMS;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

interface ItemChange {
  kind: 'same' | 'added' | 'removed' | 'changed';
  from: unknown;
  to: unknown;
}

/** A removed item and an added one in its place are one that changed. */
export function compareItems(from: readonly unknown[], to: readonly unknown[]): ItemChange[] {
  const changes: ItemChange[] = [];
  const parts = diffArrays([...from], [...to], { comparator: isEqual });
  for (let at = 0; at < parts.length; at++) {
    const { value, added, removed } = parts[at]!;
    const next = parts[at + 1];
    if (removed && next?.added) {
      const length = Math.max(value.length, next.value.length);
      for (let index = 0; index < length; index++) changes.push(toChange(value, next.value, index));
      at++;
    } else for (const one of value) changes.push(toSingle(one, added, removed));
  }
  return changes;
}

function toChange(from: readonly unknown[], to: readonly unknown[], index: number): ItemChange {
  if (index >= from.length) return { kind: 'added', from: undefined, to: to[index] };
  if (index >= to.length) return { kind: 'removed', from: from[index], to: undefined };
  return { kind: 'changed', from: from[index], to: to[index] };
}

function toSingle(value: unknown, isAdded: boolean, isRemoved: boolean): ItemChange {
  if (isAdded) return { kind: 'added', from: undefined, to: value };
  return isRemoved ? { kind: 'removed', from: value, to: undefined } : { kind: 'same', from: value, to: value };
}

function ItemsDifference({ from, to }: { from: readonly unknown[]; to: readonly unknown[] }) {
  return (
    <ol class="item-changes">
      {compareItems(from, to).map((change, index) => (
        <li key={`${index}`} class={change.kind}>
          {change.kind !== 'same' && <span class="help">{t(`difference.${change.kind}`)}</span>}
          {change.kind === 'same' ? <Whole value={change.to} /> : <ValueDifference from={change.from} to={change.to} />}
        </li>
      ))}
    </ol>
  );
}

/** What did not change needs no more than a line. */
function Whole({ value }: { value: unknown }) {
  const text = toText(toReadable(value)).replaceAll(/\s+/g, ' ');
  return (
    <span class="same-item" dir="auto">
      {text}
    </span>
  );
}

function KeysDifference({ from, to }: Record<'from' | 'to', Readonly<Record<string, unknown>>>) {
  const names = [...new Set([...Object.keys(to), ...Object.keys(from)])];
  const changed = names.filter((name) => !isEqual(from[name], to[name]));
  return (
    <dl class="key-changes">
      {(changed.length > 0 ? changed : names).map((name) => (
        <Row key={name} name={name}>
          <ValueDifference from={from[name]} to={to[name]} />
        </Row>
      ))}
    </dl>
  );
}

function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
