// The toolbar of a rich text field. What it shows of a state is in `toLooks` too: it is drawn again only when that differs.
import { setBlockType, toggleMark } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import type { Command, EditorState } from 'prosemirror-state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { type TextKey, t } from '../text/translate.ts';
import { useToolbar } from '../ui/use-toolbar.ts';
import { Drawing, type DrawingName } from './drawings.tsx';
import {
  hasMark,
  insertBlock,
  insertTable,
  isInside,
  toggleBlock,
  toggleList,
  toggleQuote,
} from './editor/commands.ts';

export interface ToolbarProps {
  label: string;
  /** The id of the text box. */
  controls: string;
  /** Undefined while the source is shown. */
  view: EditorView | undefined;
  state: EditorState | undefined;
  isReadOnly: boolean;
  isSource: boolean;
  onSource(): void;
  onLink(): void;
  /** Undefined if pictures cannot be had. */
  onImage: (() => void) | undefined;
}

interface Tool {
  label: TextKey;
  icon: DrawingName;
  keys?: string;
  isPressed?: boolean;
  isDisabled?: boolean;
  run(): void;
}

export function Toolbar(props: ToolbarProps) {
  const { label, controls, view, state, isReadOnly, isSource, onSource } = props;
  const isWriting = view !== undefined && state !== undefined && !isReadOnly && !isSource;
  return (
    <div
      class="rt-toolbar"
      role="toolbar"
      aria-label={t('rt.formatting', { label })}
      aria-controls={controls}
      {...useToolbar()}
    >
      {isWriting && (
        <>
          <StyleSelect view={view} state={state} />
          {toTools(props, view, state).map((tool) => (
            <ToolButton key={tool.label} tool={tool} />
          ))}
          {isInside(state, 'table') && <TableTools view={view} />}
        </>
      )}
      <button type="button" class="rt-tool rt-words" aria-pressed={isSource} onClick={onSource}>
        {t('rt.source')}
      </button>
    </div>
  );
}

function ToolButton({ tool }: { tool: Tool }) {
  const { label, icon, keys, isPressed, isDisabled = false, run } = tool;
  return (
    <button
      type="button"
      class="rt-tool"
      aria-label={t(label)}
      aria-keyshortcuts={keys}
      aria-pressed={isPressed}
      title={keys ? `${t(label)} (${keys.replace('Control', 'Ctrl')})` : t(label)}
      disabled={isDisabled}
      onMouseDown={(event) => event.preventDefault()}
      onClick={run}
    >
      <Drawing name={icon} />
    </button>
  );
}

function toTools({ onLink, onImage }: ToolbarProps, view: EditorView, state: EditorState): Tool[] {
  const { marks, nodes } = state.schema;
  const run = (command: Command) => () => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const mark = (
    name: string,
    icon: DrawingName & ('bold' | 'italic' | 'strike' | 'code' | 'underline'),
    keys?: string,
  ): Tool[] => {
    const type = marks[name];
    if (!type) return [];
    const tool: Tool = { label: `rt.${icon}`, icon, isPressed: hasMark(state, type), run: run(toggleMark(type)) };
    return [keys ? { ...tool, keys } : tool];
  };
  const inside = (name: string): { isPressed: boolean } => ({ isPressed: isInside(state, name) });
  return [
    ...mark('bold', 'bold', 'Control+B'),
    ...mark('italic', 'italic', 'Control+I'),
    ...mark('underline', 'underline', 'Control+U'),
    ...mark('strike', 'strike'),
    ...mark('code', 'code', 'Control+E'),
    { label: 'rt.link', icon: 'link', keys: 'Control+K', isPressed: hasMark(state, marks.link!), run: onLink },
    { label: 'rt.bullets', icon: 'bullets', ...inside('bulletList'), run: run(toggleList('bulletList')) },
    { label: 'rt.numbers', icon: 'numbers', ...inside('orderedList'), run: run(toggleList('orderedList')) },
    { label: 'rt.tasks', icon: 'tasks', ...inside('taskList'), run: run(toggleList('taskList')) },
    { label: 'rt.quote', icon: 'quote', ...inside('blockquote'), run: run(toggleQuote) },
    { label: 'rt.codeBlock', icon: 'codeBlock', ...inside('codeBlock'), run: run(toggleBlock(nodes.codeBlock!)) },
    { label: 'rt.table', icon: 'table', isDisabled: isInside(state, 'table'), run: run(insertTable) },
    ...(onImage ? [{ label: 'rt.image' as const, icon: 'image' as const, run: onImage }] : []),
    { label: 'rt.rule', icon: 'rule', run: run(insertBlock(nodes.horizontalRule!.create())) },
    { label: 'rt.undo', icon: 'undo', keys: 'Control+Z', isDisabled: !undo(state), run: run(undo) },
    { label: 'rt.redo', icon: 'redo', keys: 'Control+Y', isDisabled: !redo(state), run: run(redo) },
  ];
}

const LEVELS = [1, 2, 3, 4, 5, 6] as const;

function StyleSelect({ view, state }: { view: EditorView; state: EditorState }) {
  const { parent } = state.selection.$from;
  const { nodes } = state.schema;
  const isHeading = parent.type.name === 'heading';
  return (
    <select
      class="rt-style"
      aria-label={t('rt.style')}
      value={isHeading ? String(parent.attrs.level) : '0'}
      onChange={(event) => {
        const level = Number(event.currentTarget.value);
        const set = level === 0 ? setBlockType(nodes.paragraph!) : setBlockType(nodes.heading!, { level });
        set(view.state, view.dispatch);
        view.focus();
      }}
    >
      <option value="0">{t('rt.paragraph')}</option>
      {LEVELS.map((level) => (
        <option key={level} value={String(level)}>
          {t(`rt.heading${level}`)}
        </option>
      ))}
    </select>
  );
}

function TableTools({ view }: { view: EditorView }) {
  const tools: [TextKey, Command][] = [
    ['rt.rowAdd', addRowAfter],
    ['rt.rowRemove', deleteRow],
    ['rt.columnAdd', addColumnAfter],
    ['rt.columnRemove', deleteColumn],
    ['rt.tableRemove', deleteTable],
  ];
  return (
    <>
      {tools.map(([label, command]) => (
        <button
          type="button"
          class="rt-tool rt-words"
          key={label}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            command(view.state, view.dispatch);
            view.focus();
          }}
        >
          {t(label)}
        </button>
      ))}
    </>
  );
}
