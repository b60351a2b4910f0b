// The list of an inbox: rows as they come into view. One row at a time is a stop of the Tab key; arrows lead to the others.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Time } from '../../shell/time.tsx';
import { t } from '../../text/translate.ts';
import { scrollTopFor, toWindow, type View } from '../list/windowing.ts';
import { type FormSubmission, type InboxAddress, toInboxPath } from './form-entry.ts';
import { toSummary } from './shown-values.ts';
import type { FieldsOf } from './use-fields-of.ts';
import type { InboxRows } from './use-inbox-rows.ts';

export interface SubmissionListProps {
  rows: InboxRows;
  total: number;
  fieldsOf: FieldsOf;
  /** The forms by name, if the rows are of several. */
  labels: ReadonlyMap<string, string> | undefined;
  address: InboxAddress;
  /** Undefined if the person may not change anything. */
  selected: ReadonlySet<string> | undefined;
  /** The row that is asked to take the focus; another object for each time. */
  focused: { index: number } | undefined;
  onOpen(): void;
  onActive(index: number): void;
  onToggle(index: number, isRange: boolean): void;
}

/** A scroll bar that is dragged passes many pages; those that it rests on are asked for. */
const REST_MS = 40;

export function SubmissionList(props: SubmissionListProps) {
  const { rows, total, fieldsOf, labels, address, selected, focused, onActive, onToggle } = props;
  const list = useRef<HTMLUListElement>(null);
  const [view, setView] = useState<View>({ scrollTop: 0, height: 600, rowHeight: 76, total });
  const [active, setActive] = useState(0);
  const wanted = useRef<number | undefined>(undefined);
  const isWaiting = useRef(false);
  const lastFocused = useRef<Element | undefined>(undefined);
  const openAt = address.id === '' ? undefined : rows.indexOf(address.id);
  const seen = { ...view, total };
  const window = toWindow(seen);
  const current = Math.min(active, total - 1);

  const measure = (): void => {
    const { scrollTop, clientHeight: height } = list.current!;
    setView({ scrollTop, height, rowHeight: rowHeightOf(list.current!), total });
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => rows.want(window.first, window.end), REST_MS);
    return () => clearTimeout(timer);
  }, [rows.pages, window.first, window.end]);
  useSteadyPlace(list, rows, view);

  function reveal(index: number): void {
    const element = list.current!;
    element.scrollTop = scrollTopFor(index, { ...seen, scrollTop: element.scrollTop });
    setActive(index);
    measure();
  }
  // Which one is open also changes by keys, by Back, and by what arrives.
  useLayoutEffect(() => {
    if (openAt !== undefined) reveal(openAt);
  }, [address.id, openAt === undefined]);
  useLayoutEffect(() => {
    if (!focused) return;
    wanted.current = Math.max(0, Math.min(focused.index, total - 1));
    reveal(wanted.current);
  }, [focused]);
  useLayoutEffect(() => {
    // A row that left the tab had the focus: the one in its place gets it.
    if (lastFocused.current && !lastFocused.current.isConnected && document.activeElement === document.body) {
      wanted.current ??= current;
    }
    if (lastFocused.current?.isConnected === false) lastFocused.current = undefined;
    if (wanted.current === undefined) return;
    const link = list.current!.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    // Until the row is loaded the list has the focus, unless it went elsewhere meanwhile.
    const isElsewhere = isWaiting.current && document.activeElement !== list.current;
    isWaiting.current = !link && !isElsewhere;
    if (link || isElsewhere) wanted.current = undefined;
    if (!isElsewhere) (link ?? list.current!).focus({ preventScroll: true });
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: total - 1 }[event.key];
    if (step !== undefined) {
      wanted.current = Math.max(0, Math.min(step, total - 1));
      reveal(wanted.current);
    } else if (event.key === ' ' && event.target instanceof HTMLAnchorElement && selected) {
      onToggle(current, event.shiftKey);
    } else return;
    event.preventDefault();
  }

  const drawn = Array.from({ length: window.end - window.first }, (_, at) => window.first + at);
  // The row that has the focus stays in the page, wherever one scrolls.
  if (current >= 0 && (current < window.first || current >= window.end)) drawn.push(current);
  return (
    <ul
      ref={list}
      class="submissions"
      aria-label={t('inbox.list')}
      aria-busy={rows.isOld}
      tabIndex={-1}
      onScroll={measure}
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => {
        const index = target instanceof HTMLElement ? target.closest('li')?.dataset.at : undefined;
        if (index === undefined) return;
        lastFocused.current = target as Element;
        setActive(Number(index));
        onActive(Number(index));
      }}
      // By a row that is taken away, nobody has left the list.
      onFocusOut={() =>
        queueMicrotask(() => {
          if (lastFocused.current?.isConnected) lastFocused.current = undefined;
        })
      }
    >
      {drawn.map((index) => {
        const submission = rows.at(index);
        return (
          <Row
            key={submission?.id ?? index}
            {...{ index, total, submission, fieldsOf, labels, address, selected, onToggle }}
            top={window.topOf(index)}
            isStop={index === current}
            onOpen={props.onOpen}
          />
        );
      })}
      <li class="submissions-end" aria-hidden="true" style={{ blockSize: `${window.contentHeight}px` }} />
    </ul>
  );
}

interface RowProps
  extends Pick<SubmissionListProps, 'fieldsOf' | 'labels' | 'address' | 'selected' | 'onToggle' | 'onOpen' | 'total'> {
  index: number;
  top: number;
  /** Undefined until it is loaded. */
  submission: FormSubmission | undefined;
  isStop: boolean;
}

function Row(props: RowProps) {
  const { index, total, top, submission, fieldsOf, labels, address, selected, isStop, onToggle, onOpen } = props;
  const place = { 'data-at': index, 'aria-setsize': total, 'aria-posinset': index + 1 };
  const style = { insetBlockStart: `${top}px` };
  if (!submission) {
    return (
      <li class="submission" {...{ ...place, style }} aria-busy="true">
        <span class="bone" />
      </li>
    );
  }
  const { id, form, status, createdAt } = submission;
  const { title, excerpt } = toSummary(submission.data, fieldsOf(form));
  const name = title || t('inbox.untitled');
  const isOpen = id === address.id;
  return (
    <li class={`submission is-${status} ${isOpen ? 'is-open' : ''}`} {...{ ...place, style }}>
      {selected && (
        <label class="submission-select">
          <input
            type="checkbox"
            aria-label={t('inbox.selectOne', { title: name })}
            tabIndex={isStop ? 0 : -1}
            checked={selected.has(id)}
            onClick={(event) => onToggle(index, event.shiftKey)}
          />
        </label>
      )}
      <a
        href={toInboxPath({ ...address, form, id })}
        data-index={index}
        tabIndex={isStop ? 0 : -1}
        aria-current={isOpen ? 'true' : undefined}
        onClick={onOpen}
      >
        <span class="submission-line">
          {status === 'new' && <span class="hidden">{t('inbox.markNew')}: </span>}
          <bdi class="submission-title">{name}</bdi> <Time at={createdAt} />
        </span>
        <span class="submission-excerpt">
          {labels && <span class="pill submission-form">{labels.get(form) ?? form}</span>}{' '}
          {address.tab === 'all' && status === 'archived' && <span class="pill">{t('inbox.markArchived')}</span>}{' '}
          <bdi>{excerpt}</bdi>
        </span>
      </a>
    </li>
  );
}

/** What arrives above pushes the rows down; who reads further below stays where they are. */
function useSteadyPlace(list: { current: HTMLUListElement | null }, rows: InboxRows, { scrollTop, rowHeight }: View) {
  const anchor = useRef<{ id: string; index: number } | undefined>(undefined);
  useLayoutEffect(() => {
    const before = anchor.current;
    const now = before && rows.indexOf(before.id);
    if (before && now !== undefined && now !== before.index && scrollTop > 0) {
      list.current!.scrollTop += (now - before.index) * rowHeight;
    }
  }, [rows.pages.version.value]);
  useLayoutEffect(() => {
    const index = Math.floor(list.current!.scrollTop / rowHeight);
    const id = rows.at(index)?.id;
    anchor.current = id === undefined ? undefined : { id, index };
  });
}

/** The style sheet has it in rem, so that it grows with the reader's type. */
function rowHeightOf(element: HTMLElement): number {
  const inRem = Number(getComputedStyle(element).getPropertyValue('--row-height'));
  return inRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
