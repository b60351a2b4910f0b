// biome-ignore-all lint/a11y/useSemanticElements: rows of a table cannot stand where they are put
// biome-ignore-all lint/a11y/useFocusableInteractive: one cell at a time has the focus
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid has the keys
// One row of the list: a checkbox, the title as a link, and a cell for each column.
import { t } from '../../text/translate.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import { type CellParts, type Column, toCell } from './columns.ts';
import type { ListDocument } from './row-pages.ts';

export interface GridRowProps {
  document: ListDocument | undefined;
  index: number;
  top: number;
  title: string;
  href: string;
  columns: readonly Column[];
  isSelected: boolean;
  /** The column that has the focus, if it is this row's turn. */
  activeColumn: number | undefined;
  cells: CellParts;
  onToggle(isRange: boolean): void;
  onOpen(): void;
}

export function GridRow(props: GridRowProps) {
  const { document, index, top, title, href, columns, isSelected, activeColumn, cells, onToggle, onOpen } = props;
  const place = (column: number) => ({
    'aria-colindex': column + 1,
    'data-cell': `${index}:${column}`,
  });
  const turn = (column: number): 0 | -1 => (activeColumn === column ? 0 : -1);
  return (
    <div
      class={`row ${isSelected ? 'is-selected' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-busy={document === undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={({ target }) => {
        if (document && target instanceof Element && !target.closest('a, input, label')) onOpen();
      }}
    >
      <div class="cell cell-select" role="gridcell" aria-colindex={1}>
        {document && (
          <label class="check">
            <input
              type="checkbox"
              data-cell={`${index}:0`}
              tabIndex={turn(0)}
              checked={isSelected}
              aria-label={t('list.selectOne', { title })}
              onClick={({ shiftKey }) => onToggle(shiftKey)}
            />
          </label>
        )}
      </div>
      <div class="cell cell-title" role="gridcell" aria-colindex={2}>
        {document ? (
          <a href={href} data-cell={`${index}:1`} tabIndex={turn(1)} dir="auto">
            {title}
          </a>
        ) : (
          <span class="bone" data-cell={`${index}:1`} tabIndex={turn(1)} />
        )}
      </div>
      {columns.map((column, at) => (
        <div
          class={`cell cell-${column.field?.type ?? column.key}`}
          role="gridcell"
          key={column.key}
          {...place(at + 2)}
          tabIndex={turn(at + 2)}
        >
          {document && <CellContent {...{ document, column, cells }} />}
        </div>
      ))}
    </div>
  );
}

const SHOWN_PARTS = 2;

function CellContent({ document, column, cells }: { document: ListDocument; column: Column; cells: CellParts }) {
  if (column.key === 'status' && !column.field) return <StatusMark document={document} />;
  const { text, title, parts } = toCell(document, column, cells);
  if (parts && column.field?.type === 'tags') {
    return (
      <span class="chips" title={text}>
        {parts.slice(0, SHOWN_PARTS).map((part) => (
          <bdi class="chip" key={part}>
            {part}
          </bdi>
        ))}
        {parts.length > SHOWN_PARTS && <span class="help">+{parts.length - SHOWN_PARTS}</span>}
      </span>
    );
  }
  return (
    <bdi class="cell-text" title={title ?? text}>
      {text}
    </bdi>
  );
}
