// A rich text field as its words, with toolbar and menu of blocks.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EditorState } from 'prosemirror-state';
import { t } from '../text/translate.ts';
import { findImage } from './editor/commands.ts';
import { countWords } from './editor/count-words.ts';
import { createEditor, type RichTextEditor } from './editor/editor.ts';
import { type ImageUploads, insertImage } from './editor/images.ts';
import { toLooks } from './editor/looks.ts';
import { type BlockChoice, listChoices, SLASH } from './editor/slash-menu.ts';
import { Overlays, type TextOverlay } from './overlays.tsx';
import { openValue } from './rich-text-value.ts';
import { Problem, type RichTextFieldProps, type ShownField, toolbarOf, useNews } from './shown-field.tsx';
import { SlashList } from './slash-list.tsx';
import { Toolbar } from './toolbar.tsx';

export interface WordViewProps extends ShownField {
  setProblem(text: string): void;
  /** Called with a text that has too many marks to be read. */
  onUnread(): void;
}

export function WordView(props: WordViewProps) {
  const { id, label, isReadOnly = false, problem } = props;
  const place = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<RichTextEditor>(undefined);
  /** The latest state that looks other than the one before: its text may be older than the screen's. */
  const [state, setState] = useState<EditorState>();
  const looks = useRef('');
  const [words, setWords] = useState<number>();
  const [overlay, setOverlay] = useState<TextOverlay>();
  const [chosen, setChosen] = useState(0);
  /** What the editor's callbacks read: they are made once. */
  const latest = useRef({ props, chosen, setChosen });
  latest.current = { props, chosen, setChosen };

  const slash = state && SLASH.getState(state);
  const menuId = `${id}-blocks`;
  const choices =
    state && slash ? fitting(state, slash.query, findUploads(latest.current.props, props.setProblem)) : [];
  const menu = useRef({ choices, isOpen: slash !== undefined, choose });
  menu.current = { choices, isOpen: slash !== undefined, choose };

  useEffect(() => {
    const opened = openValue(props.echo.current);
    if (!place.current || !opened) return undefined;
    if (opened.isUnread) {
      props.onUnread();
      return undefined;
    }
    const made = createEditor({
      place: place.current,
      opened,
      attributes: () =>
        toAttributes(latest.current.props, menu.current.isOpen ? menuId : undefined, latest.current.chosen),
      isEditable: () => latest.current.props.isReadOnly !== true,
      onValue(next, isFaithful) {
        latest.current.props.say(next, isFaithful ? '' : t('rt.unfaithful'));
      },
      onState(next) {
        const now = toLooks(next);
        if (now !== looks.current) setState(next);
        looks.current = now;
      },
      onText: (document) => setWords(countWords(document)),
      openLink: () => setOverlay({ kind: 'link' }),
      findUploads: () => findUploads(latest.current.props, props.setProblem),
      onLeftOut: props.onLeftOut,
      onMenuKey,
    });
    editor.current = made;
    return () => made.destroy();
  }, []);

  useNews(props, (news) => editor.current?.accept(news));
  useEffect(
    () => editor.current?.view.setProps({}),
    [label, isReadOnly, props.isInvalid, props.describedBy, slash, chosen],
  );
  useEffect(() => setChosen(0), [slash?.query, slash === undefined]);

  function choose(choice: BlockChoice): void {
    const view = editor.current?.view;
    const open = view && SLASH.getState(view.state);
    if (!view || !open) return;
    view.dispatch(view.state.tr.delete(open.from, open.to).setMeta(SLASH, 'close'));
    if (choice.run === 'image') void chooseImage();
    else choice.run(view.state, view.dispatch, view);
    view.focus();
  }

  function onMenuKey(event: KeyboardEvent): boolean {
    const { choices: all, isOpen, choose: take } = menu.current;
    if (!isOpen || event.ctrlKey || event.metaKey || event.altKey) return false;
    const at = latest.current.chosen;
    if (event.key === 'ArrowDown') setChosen((at + 1) % Math.max(1, all.length));
    else if (event.key === 'ArrowUp') setChosen((at - 1 + all.length) % Math.max(1, all.length));
    else if ((event.key === 'Enter' || event.key === 'Tab') && all[at]) take(all[at]);
    else if (event.key === 'Escape') {
      const view = editor.current?.view;
      view?.dispatch(view.state.tr.setMeta(SLASH, 'close'));
      event.stopPropagation();
    } else return false;
    return true;
  }

  async function chooseImage(): Promise<void> {
    const image = await latest.current.props.chooseFile?.();
    const view = editor.current?.view;
    if (!image || !view) return;
    insertImage(view, image);
    view.focus();
  }

  function onImage(): void {
    const image = editor.current && findImage(editor.current.view.state);
    if (image) setOverlay({ kind: 'image', alt: String(image.attrs.alt ?? '') });
    else void chooseImage();
  }

  const view = editor.current?.view;
  const close = (): void => setOverlay(undefined);
  const hasImages = props.chooseFile !== undefined || (state !== undefined && findImage(state) !== undefined);
  const toolbar = useMemo(
    () => (
      <Toolbar
        {...toolbarOf(props)}
        {...{ view, state, isReadOnly }}
        isSource={false}
        onSource={() => {
          editor.current?.flush();
          latest.current.props.onSource();
        }}
        onLink={() => setOverlay({ kind: 'link' })}
        onImage={hasImages ? onImage : undefined}
      />
    ),
    [id, label, view, state, isReadOnly, hasImages],
  );
  return (
    <div class="rt" ref={root}>
      {toolbar}
      <div class="rt-text" ref={place} />
      {view && slash && !isReadOnly && (
        <SlashList
          id={menuId}
          {...{ choices, chosen }}
          place={placeOf(view, slash.from, root.current)}
          onChoose={choose}
        />
      )}
      <p class="help rt-count">{words !== undefined && t('rt.words', { count: words })}</p>
      <Problem text={problem}>
        {' '}
        <button type="button" onClick={props.onSource}>
          {t('rt.source')}
        </button>
      </Problem>
      {view && overlay && <Overlays {...{ view, overlay, close }} />}
    </div>
  );
}

function toAttributes(
  { id, label, isReadOnly, describedBy, isInvalid }: RichTextFieldProps,
  menuId: string | undefined,
  chosen: number,
): Record<string, string> {
  return {
    id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    tabindex: '0',
    dir: 'auto',
    ...(isReadOnly ? { 'aria-readonly': 'true' } : {}),
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
    ...(menuId ? { 'aria-controls': menuId, 'aria-activedescendant': `${menuId}-${chosen}` } : {}),
  };
}

function findUploads(props: RichTextFieldProps, onProblem: (text: string) => void): ImageUploads | undefined {
  const { upload, isReadOnly } = props;
  if (!upload || isReadOnly) return undefined;
  return {
    upload,
    waiting: ({ name }) => t('rt.uploading', { name }),
    onFailed({ name }, error) {
      const reason = error instanceof Error ? error.message : String(error);
      onProblem(t('rt.uploadFailed', { name, reason }));
    },
  };
}

/** The choices whose names have the letters, those that begin with them first. */
function fitting(state: EditorState, query: string, uploads: ImageUploads | undefined): BlockChoice[] {
  const letters = query.toLowerCase();
  const all = listChoices(state.schema).filter(({ run }) => run !== 'image' || uploads);
  const at = ({ label }: BlockChoice): number => t(label).toLowerCase().replaceAll(' ', '').indexOf(letters);
  return all.filter((choice) => at(choice) >= 0).sort((a, b) => Math.min(1, at(a)) - Math.min(1, at(b)));
}

function placeOf(view: RichTextEditor['view'], from: number, root: HTMLElement | null): { top: number; left: number } {
  const corner = root?.getBoundingClientRect();
  const at = view.coordsAtPos(Math.min(from, view.state.doc.content.size));
  const width = corner?.width ?? 0;
  return {
    top: at.bottom - (corner?.top ?? 0) + 4,
    left: Math.max(0, Math.min(at.left - (corner?.left ?? 0), width - 240)),
  };
}
