// The form of one document, with its toolbar, its problems and its panels.
import { type Signal, untracked, useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { ApiError, OfflineError } from '../../api/client.ts';
import { type CollectionInfo, type Manifest, titleOf } from '../../config/manifest.ts';
import { nameIn } from '../../document/dry-run.ts';
import type { OpenDocument } from '../../document/open-document.ts';
import { type Rights, rightsOf } from '../../document/rights.ts';
import { dataKey } from '../../document/stored-document.ts';
import { FormContext } from '../../fields/control.ts';
import { fieldId, fieldOfHash } from '../../fields/field-id.ts';
import { FieldMissing } from '../../fields/source.tsx';
import { useAdmin } from '../../shell/admin.ts';
import { Screen } from '../../shell/screen.tsx';
import { LANGUAGE } from '../../text/reader.ts';
import { t } from '../../text/translate.ts';
import { type Actions, useActions } from './actions.ts';
import { mayAsk } from './ai/may-ask.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DocumentFields } from './document-fields.tsx';
import { focusPanels, Panels } from './panels/panels.tsx';
import { type FieldProblem, toProblems } from './problems.ts';
import { DocumentToolbar, isDraftNeeded } from './toolbar.tsx';
import { usePresence } from './use-document.ts';
import { useDryRun } from './use-dry-run.ts';
import { useFiles } from './use-files.ts';

const DocumentDialogs = lazy(() => import('./document-dialogs.tsx').catch(() => ({ default: FieldMissing })));

/** What hides the field opens first, and the heading takes the focus. */
const LINKED_AFTER_MS = 150;

export interface EditorProps {
  manifest: Manifest;
  collection: CollectionInfo;
  singular: string;
  document: OpenDocument;
  lastAuthor: { current: string | undefined };
}

export function Editor(props: EditorProps) {
  const { manifest, collection, singular, document } = props;
  const { session } = useAdmin();
  const latest = document.latest.value;
  const stored = latest?.document;
  const rights = rightsOf(session.may, stored);
  const title = useTitle(document, collection);
  const problems = useProblems(props);
  const dryRun = useDryRun(props);
  const warnings = useWarnings(props);
  const byPath = useComputed(
    () =>
      new Map(
        [...warnings.value, ...dryRun.problems.value, ...problems.value].map(({ path, message }) => [path, message]),
      ),
  );
  const wanted = useSignal<string | undefined>(undefined);
  const spoken = useSignal('');
  const actions = useActions(props, rights);
  const { dialog: filePicker, files } = useFiles();
  const people = usePresence(collection.name, document.isGone.value ? undefined : stored?.slug);
  useKeys(document, actions.keys);
  useLeaving(document);
  useRetry(document);
  useLinkedField(wanted);

  // The same as long as it says the same: everything that reads it is drawn again with another one.
  const locale = localeOf(document, manifest);
  const form = useMemo(
    () => ({
      ...{ manifest, collection: collection.name, problems: byPath, wanted, ...files, locale },
      announce: (text: string) => {
        spoken.value = text;
      },
    }),
    [manifest, collection, files, locale],
  );
  return (
    <Screen heading={title || (stored ? t('document.untitled') : t('document.new', { label: singular }))}>
      <FormContext.Provider value={form}>
        <div class="editor">
          <DocumentToolbar document={document} rights={rights} actions={actions} />
          <Notes {...{ document, rights, actions }} people={people.map(({ name }) => name)} />
          {!rights.mayEdit && (
            <p class="note">{t(session.may('content:draft') ? 'document.publishedReadOnly' : 'document.readOnly')}</p>
          )}
          <ProblemList
            title={problems.value.length > 0 ? 'problems.title' : 'problems.saved'}
            problems={problems.value.length > 0 ? problems.value : warnings.value}
            onFollow={(path) => {
              wanted.value = undefined;
              wanted.value = path;
              // What hides the field opens first.
              setTimeout(focusField, 50, path);
            }}
          />
          {/* biome-ignore lint/a11y/useSemanticElements: each of its fields is a form, see `OneField` */}
          <div class="document-form" role="form" aria-label={t('document.form')}>
            <DocumentFields
              {...{ collection, document, wanted }}
              isReadOnly={!rights.mayEdit}
              hasModel={stored !== undefined && mayAsk(session.may, { manifest, rights })}
            />
          </div>
          <Panels {...{ manifest, collection, document, rights, actions }} newSlug={dryRun.slug} />
          <p class="hidden" aria-live="polite">
            {spoken.value}
          </p>
        </div>
        <ConflictDialog {...{ document, collection }} who={props.lastAuthor.current} />
        {actions.dialog.value && (
          <ErrorBoundary>
            <DocumentDialogs {...{ document, collection, actions }} />
          </ErrorBoundary>
        )}
        {filePicker}
      </FormContext.Provider>
    </Screen>
  );
}

/** The language that the text is written in, also before it is saved. */
function localeOf(document: OpenDocument, { defaultLocale }: Manifest): string | undefined {
  const chosen = document.value('locale').value;
  return typeof chosen === 'string' && chosen !== '' ? chosen : (defaultLocale ?? undefined);
}

function useTitle(document: OpenDocument, collection: CollectionInfo): string {
  return useComputed(() => {
    const slug = document.latest.value?.document.slug ?? '';
    return titleOf(document.data(), slug, collection);
  }).value;
}

const NO_PROBLEMS: readonly FieldProblem[] = [];

/** The refusal of the last save, until it is tried again. None are always the same none, which no key draws again. */
function useProblems({ document, collection, manifest: { blocks } }: EditorProps) {
  return useComputed<readonly FieldProblem[]>(() => {
    const state = document.saveState.value;
    if (state.kind !== 'failed' || !(state.error instanceof ApiError) || isDraftNeeded(state.error)) return NO_PROBLEMS;
    const { details } = state.error;
    return untracked(() => toProblems(details, { collection, blocks, data: document.data() }));
  });
}

/** What the last save says of values that are still there. */
function useWarnings({ document, collection, manifest: { blocks } }: EditorProps) {
  return useComputed<readonly FieldProblem[]>(() => {
    const edits = document.edits.value;
    const { warnings = [] } = document.latest.value?.document ?? {};
    const left = warnings.filter(({ path }) => !edits.has(dataKey(nameIn(path))));
    if (left.length === 0) return NO_PROBLEMS;
    return untracked(() => toProblems(left, { collection, blocks, data: document.data() }));
  });
}

/** The link check leads to the field in which a link is. */
function useLinkedField(wanted: Signal<string | undefined>): void {
  useEffect(() => {
    const path = fieldOfHash(location.hash);
    if (path === undefined) return undefined;
    wanted.value = path;
    const timer = setTimeout(focusField, LINKED_AFTER_MS, path);
    return () => clearTimeout(timer);
  }, []);
}

/** To the control of a value, or to the nearest one around it. */
function focusField(path: string): void {
  const parts = path.split('.');
  for (let length = parts.length; length > 1; length--) {
    const element = document.getElementById(fieldId(parts.slice(0, length).join('.')));
    if (!element) continue;
    element.scrollIntoView({ block: 'center' });
    element.focus();
    return;
  }
}

interface ProblemListProps {
  title: 'problems.title' | 'problems.saved';
  problems: readonly FieldProblem[];
  onFollow(path: string): void;
}

function ProblemList({ title, problems, onFollow }: ProblemListProps) {
  if (problems.length === 0) return null;
  return (
    <div class="problem" role="alert">
      <p>{t(title, { count: problems.length })}</p>
      <ul>
        {problems.map(({ path, text }) => (
          <li key={path}>
            <a
              href={`#${fieldId(path)}`}
              onClick={(event) => {
                event.preventDefault();
                event.stopPropagation();
                onFollow(path);
              }}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface NotesProps {
  document: OpenDocument;
  rights: Rights;
  actions: Actions;
  people: readonly string[];
}

function Notes({ document, rights, actions, people }: NotesProps) {
  const names = new Intl.ListFormat(LANGUAGE).format(people);
  const isGone = document.isGone.value;
  const discard = (
    <button
      type="button"
      onClick={() => {
        void actions.discard();
        focusHeading();
      }}
    >
      {t('document.discard')}
    </button>
  );
  return (
    <>
      {people.length > 0 && (
        <p class="note" role="status">
          {t('document.alsoHere', { count: people.length, names })}
        </p>
      )}
      {document.isRestored.value && !isGone && (
        <p class="note" role="status">
          {t('document.restored')} {discard}
        </p>
      )}
      {isGone && (
        <div class="problem" role="alert">
          <p>{t('document.gone')}</p>
          <div class="buttons">
            {rights.mayCreate && (
              <button
                type="button"
                onClick={() => {
                  document.keepAsNew();
                  focusHeading();
                }}
              >
                {t('document.keepAsNew')}
              </button>
            )}
            {document.edits.value.size > 0 && discard}
          </div>
        </div>
      )}
    </>
  );
}

/** The button that was pressed is gone with its note. */
function focusHeading(): void {
  globalThis.document.querySelector<HTMLElement>('main h1')?.focus();
}

const NO_KEYS = { save: () => undefined, publish: () => undefined };

function useKeys(document: OpenDocument, keys: { save(): void; publish(): void }): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      // A dialog is about something else; only the browser's own answer to the keys is kept away.
      const { save, publish } = globalThis.document.querySelector('dialog[open]') ? NO_KEYS : latest.current;
      if (event.key.toLowerCase() === 's') save();
      else if (event.key === 'Enter') publish();
      else if (event.key === '.') focusPanels();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [document]);
}

/** A word is lost only while the device has not got it yet. */
function useLeaving(document: OpenDocument): void {
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (!document.keepNow()) event.preventDefault();
    };
    const onHide = (): void => void document.keepNow();
    addEventListener('beforeunload', onUnload);
    addEventListener('pagehide', onHide);
    addEventListener('visibilitychange', onHide);
    return () => {
      removeEventListener('beforeunload', onUnload);
      removeEventListener('pagehide', onHide);
      removeEventListener('visibilitychange', onHide);
    };
  }, [document]);
}

/** What could not be sent is sent once the connection is back. */
function useRetry(document: OpenDocument): void {
  const { live } = useAdmin();
  useEffect(() => {
    const retry = (): void => {
      const state = document.saveState.value;
      if (state.kind === 'failed' && state.error instanceof OfflineError) void document.retry();
    };
    const stop = live.listen(({ event }) => {
      if (event === 'hello') retry();
    });
    addEventListener('online', retry);
    return () => {
      stop();
      removeEventListener('online', retry);
    };
  }, [document]);
}
