// A list of values that one can add to, order, copy and remove from: by dragging, by buttons and by keys.
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { useForm } from './control.ts';
import { inserted, moved, removed } from './items.ts';
import { useRemoval } from './use-removal.ts';

export interface ItemListProps<T> {
  items: readonly T[];
  onChange(items: readonly T[]): void;
  isReadOnly: boolean;
  /** The name of the item at an index, such as "Quote 2". */
  nameOf(item: T, index: number): string;
  summaryOf(item: T): string;
  /** Items of one line have no need of a fold. */
  canFold?: boolean;
  /** A list of texts has the name on its text boxes, and a group around them would say it twice. */
  hasGroups?: boolean;
  /** The path of the list, so that the way to an item's problem opens the item. */
  path: string;
  copyOf?(item: T): T;
  /** How many items there are once one was added, which then gets the focus. */
  added?: { current: number | undefined };
  /** More buttons of an item. */
  extra?(item: T, index: number): ComponentChildren;
  children(item: T, index: number, onChange: (item: T) => void): ComponentChildren;
}

/** The names of the groups around a list, the nearest first. */
export const AroundContext = createContext<readonly string[]>([]);

let keys = 0;

/** A key for each item; what moves here takes its key along. */
function useKeys(count: number) {
  const all = useRef<number[]>([]);
  while (all.current.length < count) all.current.push(++keys);
  all.current.length = count;
  return all;
}

export function ItemList<T>(props: ItemListProps<T>) {
  const { items, onChange, isReadOnly, nameOf, copyOf = structuredClone } = props;
  const { announce } = useForm();
  const itemKeys = useKeys(items.length);
  const root = useRef<HTMLOListElement>(null);
  /** Without a key: to what adds an item. */
  const wantedFocus = useRef<
    { key: number | undefined; action: string; writing?: CursorPlace | undefined } | undefined
  >(undefined);
  // Items that are alike change places without a change of the value, and the focus still goes along.
  const [, setMoves] = useState(0);
  const latest = useRef(props);
  latest.current = props;
  const noteRemoval = useRemoval();

  // Before the next key: what is typed right after pressing the button belongs into the new item.
  useLayoutEffect(() => {
    if (props.added?.current !== items.length) return;
    props.added.current = undefined;
    focusFirst(root.current?.lastElementChild);
  });

  useLayoutEffect(() => {
    const wanted = wantedFocus.current;
    if (!wanted) return;
    wantedFocus.current = undefined;
    if (wanted.key === undefined) {
      const after = root.current?.nextElementSibling;
      (after?.matches('button') ? (after as HTMLElement) : after?.querySelector('button'))?.focus();
      return;
    }
    const item = root.current?.querySelector(`[data-key="${wanted.key}"]`);
    // One goes on writing where one was: a space must not press a button.
    if (wanted.writing && item?.contains(wanted.writing.control)) {
      wanted.writing.goBack();
      return;
    }
    // A button that cannot go on in its direction is disabled and would lose the focus.
    const button = item?.querySelector<HTMLElement>(`[data-action="${wanted.action}"]:not(:disabled)`);
    (button ?? item?.querySelector<HTMLElement>('[data-action]:not(:disabled)'))?.focus();
  });

  function move(from: number, to: number, action: string): void {
    if (to < 0 || to >= items.length || from === to) return;
    const item = items[from] as T;
    const name = nameOf(item, from);
    itemKeys.current = moved(itemKeys.current, from, to);
    wantedFocus.current = { key: itemKeys.current[to] as number, action, writing: findWriting() };
    setMoves((count) => count + 1);
    onChange(moved(items, from, to));
    announce(t('item.moved', { name, to: to + 1, count: items.length }));
  }

  function remove(at: number): void {
    const item = items[at] as T;
    const name = nameOf(item, at);
    itemKeys.current = removed(itemKeys.current, at);
    const next = itemKeys.current[Math.min(at, items.length - 2)];
    wantedFocus.current = { key: next, action: 'remove' };
    onChange(removed(items, at));
    noteRemoval(name, () => putBack(at, item));
  }

  /** Into the list as it is by now. */
  function putBack(at: number, item: T): void {
    const now = latest.current;
    const to = Math.min(at, now.items.length);
    const key = ++keys;
    itemKeys.current = inserted(itemKeys.current, to, key);
    wantedFocus.current = { key, action: 'remove' };
    now.onChange(inserted(now.items, to, item));
  }

  function duplicate(at: number): void {
    const key = ++keys;
    itemKeys.current = inserted(itemKeys.current, at + 1, key);
    if (!findWriting()) wantedFocus.current = { key, action: 'duplicate' };
    onChange(inserted(items, at + 1, copyOf(items[at] as T)));
    announce(t('item.duplicated', { name: nameOf(items[at] as T, at) }));
  }

  return (
    <ol class="items" ref={root}>
      {items.map((item, index) => {
        const key = itemKeys.current[index] as number;
        return (
          <Item
            key={key}
            list={itemKeys}
            itemKey={key}
            name={nameOf(item, index)}
            summary={props.summaryOf(item)}
            canFold={props.canFold ?? true}
            hasGroup={props.hasGroups ?? true}
            path={`${props.path}.${index}`}
            isReadOnly={isReadOnly}
            isFirst={index === 0}
            isLast={index === items.length - 1}
            extra={props.extra?.(item, index)}
            onMove={(step, action) => move(index, index + step, action)}
            onDropped={(source, edge) => {
              const from = itemKeys.current.indexOf(source);
              const target = index + (edge === 'bottom' ? 1 : 0);
              move(from, from < target ? target - 1 : target, 'drag');
            }}
            onDuplicate={() => duplicate(index)}
            onRemove={() => remove(index)}
          >
            {props.children(item, index, (next) => onChange(items.map((one, at) => (at === index ? next : one))))}
          </Item>
        );
      })}
    </ol>
  );
}

const TEXTS = 'input, textarea, select, [contenteditable="true"]';
const CONTROLS = 'input:not([type="hidden"], [hidden]), textarea, select, [contenteditable="true"], button';

/** The control that one writes in, and the way back to its cursor once its item has moved. */
interface CursorPlace {
  control: HTMLElement;
  goBack(): void;
}

function findWriting(): CursorPlace | undefined {
  const { activeElement: control } = document;
  if (!(control instanceof HTMLElement && control.matches(TEXTS))) return undefined;
  const { anchorNode, anchorOffset = 0, focusNode, focusOffset = 0 } = getSelection() ?? {};
  return {
    control,
    goBack() {
      control.focus();
      // A field keeps its selection; an editor is entered at its start.
      if (!control.isContentEditable || !anchorNode || !focusNode) return;
      getSelection()?.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
    },
  };
}

/** To the first control of an item; what is not loaded yet has none. */
function focusFirst(item: Element | null | undefined): void {
  const control = item?.querySelector<HTMLElement>('.item-body')?.querySelector<HTMLElement>(CONTROLS);
  (control ?? item?.querySelector<HTMLElement>('.fold'))?.focus();
}

interface ItemProps {
  list: { current: number[] };
  itemKey: number;
  name: string;
  summary: string;
  canFold: boolean;
  hasGroup: boolean;
  path: string;
  isReadOnly: boolean;
  isFirst: boolean;
  isLast: boolean;
  extra: ComponentChildren;
  onMove(step: number, action: string): void;
  onDropped(source: number, edge: 'top' | 'bottom'): void;
  onDuplicate(): void;
  onRemove(): void;
  children: ComponentChildren;
}

function Item(props: ItemProps) {
  const { name, path, isReadOnly, canFold } = props;
  const { wanted } = useForm();
  const [isFolded, setFolded] = useState(false);
  const { element, handle, edge, isDragged } = useDragging(props);
  const around = useContext(AroundContext);
  const inside = useMemo(() => [name, ...around], [name, around]);
  const isWanted = wanted.value?.startsWith(`${path}.`) ?? false;
  useEffect(() => {
    if (isWanted) setFolded(false);
  }, [isWanted, wanted.value]);

  function onKeyDown(event: KeyboardEvent): void {
    if (isReadOnly || event.defaultPrevented) return;
    const isControl = event.ctrlKey || event.metaKey;
    if (event.altKey && event.key === 'ArrowUp') props.onMove(-1, 'up');
    else if (event.altKey && event.key === 'ArrowDown') props.onMove(1, 'down');
    else if (isControl && !event.altKey && event.key.toLowerCase() === 'd') props.onDuplicate();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const group = props.hasGroup ? ({ role: 'group', 'aria-label': name } as const) : {};
  return (
    <li
      ref={element}
      class={`item ${isDragged ? 'dragged' : ''} ${edge ? `edge-${edge}` : ''}`}
      data-key={props.itemKey}
      onKeyDown={onKeyDown}
    >
      <div class="item-inner" {...group}>
        <div class="item-bar">
          {!isReadOnly && (
            <span class="grip" ref={handle} aria-hidden="true">
              <Icon name="grip" />
            </span>
          )}
          {canFold && (
            <button
              type="button"
              class="plain fold"
              aria-expanded={!isFolded}
              aria-label={t(isFolded ? 'item.unfold' : 'item.fold')}
              onClick={() => setFolded(!isFolded)}
            >
              <Icon name={isFolded ? 'right' : 'down'} />
            </button>
          )}
          {props.hasGroup && (
            <span class="item-name" aria-hidden="true">
              {name}
              {isFolded && props.summary && <span class="item-summary"> {props.summary}</span>}
            </span>
          )}
          {!isReadOnly && <ItemActions {...props} />}
        </div>
        {!isFolded && (
          <div class="item-body">
            <AroundContext.Provider value={inside}>{props.children}</AroundContext.Provider>
          </div>
        )}
      </div>
    </li>
  );
}

function ItemActions({ extra, isFirst, isLast, onMove, onDuplicate, onRemove }: ItemProps) {
  const action = (name: string, icon: 'up' | 'down' | 'copy' | 'trash', act: () => void, isOff = false) => (
    <button
      type="button"
      class="plain"
      data-action={name}
      aria-label={t(`item.${name}` as 'item.up')}
      title={t(`item.${name}` as 'item.up')}
      disabled={isOff}
      onClick={act}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <span class="item-actions">
      {extra}
      {action('up', 'up', () => onMove(-1, 'up'), isFirst)}
      {action('down', 'down', () => onMove(1, 'down'), isLast)}
      {action('duplicate', 'copy', onDuplicate)}
      {action('remove', 'trash', onRemove)}
    </span>
  );
}

function useDragging({ list, itemKey, isReadOnly, onDropped }: ItemProps) {
  const element = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLSpanElement>(null);
  const [edge, setEdge] = useState<'top' | 'bottom'>();
  const [isDragged, setDragged] = useState(false);
  const dropped = useRef(onDropped);
  dropped.current = onDropped;
  useEffect(() => {
    if (isReadOnly || !element.current || !handle.current) return undefined;
    const stop = [
      draggable({
        element: element.current,
        dragHandle: handle.current,
        getInitialData: () => ({ list, itemKey }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element: element.current,
        canDrop: ({ source }) => source.data.list === list && source.data.itemKey !== itemKey,
        getData: ({ input, element: target }) =>
          attachClosestEdge({}, { input, element: target, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self }) => setEdge(extractClosestEdge(self.data) as 'top' | 'bottom'),
        onDragLeave: () => setEdge(undefined),
        onDrop({ self, source }) {
          setEdge(undefined);
          dropped.current(source.data.itemKey as number, extractClosestEdge(self.data) === 'bottom' ? 'bottom' : 'top');
        },
      }),
    ];
    return () => {
      for (const one of stop) one();
    };
  }, [isReadOnly, itemKey]);
  return { element, handle, edge, isDragged };
}
