// biome-ignore-all lint/a11y/useSemanticElements: rows of a table cannot stand where they are put
// biome-ignore-all lint/a11y/useFocusableInteractive: one cell at a time has the focus
// The grid of a list: rows as they come into view, one cell that has the focus, sorting by the header.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toDocumentPath } from '../../config/document-path.ts';
import { type CollectionInfo, titleOf } from '../../config/manifest.ts';
import { useAdmin } from '../../shell/admin.ts';
import { hasLetterKeys, isLetterKey } from '../../shell/letter-keys.ts';
import { useOwnKey } from '../../shell/own-key.ts';
import { useKeys } from '../../shell/use-keys.ts';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { isSelected } from '../../ui/selection.ts';
import { type Column, toTemplate } from './columns.ts';
import { type Cell, moveBy } from './grid-keys.ts';
import { GridRow } from './grid-row.tsx';
import type { ListState } from './list-query.ts';
import { findPlace, keepPlace } from './place.ts';
import type { ListDocument, RowPages } from './row-pages.ts';
import type { DocumentSelection } from './selection.ts';
import { useRelatedTitles } from './use-related-titles.ts';
import { scrollTopFor, toWindow, type View } from './windowing.ts';

export interface GridProps {
  collection: CollectionInfo;
  pages: RowPages;
  total: number;
  isBusy: boolean;
  state: ListState;
  columns: readonly Column[];
  titleKey: string | undefined;
  defaultLocale: string | null;
  selection: DocumentSelection;
  /** The address, for coming back to the same place. */
  address: string;
  onSort(key: string): void;
  onToggle(index: number, isRange: boolean): void;
}

/** A scroll bar that is dragged passes many pages; those that it rests on are asked for. */
const REST_MS = 40;

export function Grid(props: GridProps) {
  const {
    collection,
    pages,
    total,
    isBusy,
    state,
    columns,
    titleKey,
    defaultLocale,
    selection,
    address,
    onSort,
    onToggle,
  } = props;
  const { session, now } = useAdmin();
  const navigate = useNavigate();
  const element = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ scrollTop: 0, height: 600, rowHeight: 44, total });
  const [active, setActive] = useState<Cell>({ row: 0, column: 1 });
  const placeKey = useOwnKey(`place:${address}`);
  const isFocusWanted = useRef(false);
  const isFirst = useRef(true);
  // Drawn again with each answer.
  pages.version.value;
  const seen = { ...view, total };
  const rows = toWindow(seen);
  const inView = Array.from({ length: rows.end - rows.first }, (_, at) => pages.at(rows.first + at));
  const relatedTitle = useRelatedTitles(inView, columns, pages.version.value);
  const row = Math.min(active.row, total - 1);

  const measure = (): void => {
    const grid = element.current;
    if (!grid) return;
    setView({
      scrollTop: grid.scrollTop,
      height: grid.clientHeight - headerHeightOf(grid),
      rowHeight: rowHeightOf(grid),
      total,
    });
  };

  // Another question begins at its top, and one that one comes back to where one was.
  useLayoutEffect(() => {
    const place = findPlace(sessionStorage, placeKey);
    element.current!.scrollTop = isFirst.current ? (place?.scrollTop ?? 0) : 0;
    setActive((now) => (isFirst.current ? { row: place?.row ?? 0, column: 1 } : { ...now, row: Math.min(now.row, 0) }));
    isFirst.current = false;
    measure();
  }, [address]);

  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const timer = setTimeout(() => pages.want(rows.first, rows.end), REST_MS);
    return () => clearTimeout(timer);
  }, [pages, rows.first, rows.end]);

  useEffect(() => {
    // Nothing is no place to come back to.
    if (total > 0) keepPlace(sessionStorage, placeKey, { scrollTop: view.scrollTop, row });
  }, [placeKey, view.scrollTop, row]);

  useLayoutEffect(() => {
    if (!isFocusWanted.current) return;
    isFocusWanted.current = false;
    const cell = element.current?.querySelector<HTMLElement>(`[data-cell="${row}:${active.column}"]`);
    cell?.focus({ preventScroll: true });
  });

  function goTo(cell: Cell): void {
    isFocusWanted.current = true;
    const grid = element.current!;
    if (cell.row >= 0) grid.scrollTop = scrollTopFor(cell.row, { ...seen, scrollTop: grid.scrollTop });
    setActive(cell);
    measure();
  }

  /** From wherever one is on the page to the row that one was in last. */
  const enter = (): void => goTo({ row: Math.max(0, row), column: active.column });
  useKeys({ j: enter, k: enter });

  function open(index: number): void {
    const document = pages.at(index);
    if (document) navigate(toDocumentPath(collection.name, document.slug));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const size = {
      rows: total,
      columns: columns.length + 2,
      page: Math.max(1, Math.floor(view.height / view.rowHeight) - 1),
      hasHeader: headerHeightOf(element.current!) > 0,
    };
    if (isLetterKey(event.key) && !hasLetterKeys(session.preferences())) return;
    const moved = moveBy(event, { row, column: active.column }, size);
    if (moved) goTo(moved);
    else if (event.key === ' ' && row >= 0) {
      goTo({ row, column: active.column });
      onToggle(row, event.shiftKey);
    } else if (event.key === 'Enter' && row >= 0 && !(event.target instanceof HTMLAnchorElement)) open(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const toRow = (index: number) => {
    const document: ListDocument | undefined = pages.at(index);
    const title = document ? titleOf(document.data, document.slug, collection) : '';
    return (
      <GridRow
        key={index}
        {...{ document, index, title, columns }}
        top={rows.topOf(index)}
        href={document ? toDocumentPath(collection.name, document.slug) : ''}
        isSelected={document !== undefined && isSelected(selection, document.id)}
        activeColumn={index === row ? active.column : undefined}
        cells={{ nowMs: now().getTime(), defaultLocale, titleOf: relatedTitle }}
        onToggle={(isRange) => {
          setActive({ row: index, column: 0 });
          onToggle(index, isRange);
        }}
        onOpen={() => open(index)}
      />
    );
  };

  const drawn = Array.from({ length: rows.end - rows.first }, (_, at) => rows.first + at);
  // The row that has the focus stays in the page, wherever one scrolls.
  if (row >= 0 && (row < rows.first || row >= rows.end)) drawn.push(row);
  const header: Column[] = [
    { key: 'title', label: t('list.title'), ...(titleKey ? { sort: titleKey } : { sort: 'slug' }) },
    ...columns,
  ];
  return (
    <div
      ref={element}
      class="grid"
      role="grid"
      aria-label={collection.label}
      aria-rowcount={total + 1}
      aria-colcount={columns.length + 2}
      aria-multiselectable="true"
      aria-busy={isBusy}
      style={{ '--columns': String(columns.length), '--template': toTemplate(columns) }}
      onScroll={measure}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => {
        // Browsers differ in which of the two keys toggles a checkbox.
        if (event.key === ' ' && row >= 0) event.preventDefault();
      }}
      onFocusIn={({ target }) => {
        const at = target instanceof HTMLElement ? target.dataset.cell?.split(':').map(Number) : undefined;
        if (at && (at[0] !== active.row || at[1] !== active.column)) setActive({ row: at[0]!, column: at[1]! });
      }}
    >
      <div class="row row-head" role="row" aria-rowindex={1}>
        <div
          class="cell cell-select"
          role="columnheader"
          aria-colindex={1}
          data-cell="-1:0"
          tabIndex={row === -1 && active.column === 0 ? 0 : -1}
        >
          <span class="hidden">{t('list.selection')}</span>
        </div>
        {header.map((column, at) => (
          <HeaderCell
            key={column.key}
            {...{ column, state, onSort }}
            column={column}
            index={at + 1}
            isActive={row === -1 && active.column === at + 1}
          />
        ))}
      </div>
      <div class="rows-box" role="rowgroup" style={{ blockSize: `${rows.contentHeight}px` }}>
        {drawn.map(toRow)}
      </div>
    </div>
  );
}

interface HeaderCellProps {
  column: Column;
  index: number;
  state: ListState;
  isActive: boolean;
  onSort(key: string): void;
}

function HeaderCell({ column: { key, label, sort, field }, index, state, isActive, onSort }: HeaderCellProps) {
  const isSorted = sort !== undefined && sort === state.sort;
  const place = { 'data-cell': `-1:${index}`, tabIndex: isActive ? 0 : -1 };
  return (
    <div
      class={`cell cell-${field?.type ?? key}`}
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={isSorted ? (state.order === 'asc' ? 'ascending' : 'descending') : undefined}
      {...(sort === undefined ? place : {})}
    >
      {sort === undefined ? (
        label
      ) : (
        <button type="button" class="plain" {...place} onClick={() => onSort(sort)}>
          <span>{label}</span>
          {isSorted && <Icon name={state.order === 'asc' ? 'sortUp' : 'sortDown'} />}
        </button>
      )}
    </div>
  );
}

function headerHeightOf(grid: HTMLElement): number {
  return grid.querySelector<HTMLElement>('.row-head')?.offsetHeight ?? 0;
}

/** The style sheet has it in rem, so that it grows with the reader's type. */
function rowHeightOf(grid: HTMLElement): number {
  const inRem = Number(getComputedStyle(grid).getPropertyValue('--row-height'));
  return inRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
