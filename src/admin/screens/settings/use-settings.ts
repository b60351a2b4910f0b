// The settings on the screen: as they are stored, what is edited, and how they are saved. One for all sections, so that
// edits survive a change of sections.
import { useRef, useState } from 'preact/hooks';
import { ApiError, isMoved, LostError, untilBack } from '../../api/client.ts';
import type { ResourceState } from '../../api/resources.ts';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useKept } from '../../shell/use-kept.ts';
import { t } from '../../text/translate.ts';
import {
  afterSave,
  conflictsOf,
  forgottenSecrets,
  parseKept,
  type SettingEdits,
  setEdit,
  toKept,
  toPatch,
  undoOf,
  withoutStored,
} from './settings-edits.ts';
import {
  propertyAt,
  type SettingProblem,
  type SettingsOutline,
  type SettingValues,
  storedAt,
  toSettingProblems,
} from './settings-shape.ts';
import {
  type GeneratedSecrets,
  type LoadedSettings,
  MOST_TRIES,
  type SavedSettings,
  useStoredSettings,
} from './use-stored-settings.ts';

export interface OpenSettings {
  state: ResourceState<SettingValues>;
  edits: SettingEdits;
  problems: readonly SettingProblem[];
  /** Paths of edits that others have changed meanwhile. */
  conflicts: readonly string[];
  isBusy: boolean;
  /** Secrets that were just made, to be shown once. */
  generated: GeneratedSecrets | undefined;
  forgetGenerated(): void;
  reload(): Promise<void>;
  /** As it is by now, after a change had no answer. */
  readAfterLost(): Promise<SettingValues>;
  edit(path: string, value: unknown): void;
  /** Goes on with the own value in spite of what others have stored. */
  keepMine(path: string): void;
  discard(): void;
  save(): Promise<void>;
  /** Sends a change of one setting by itself, made of what is stored now; repeated if that has moved. */
  change(toPatchOf: (settings: SettingValues) => Record<string, unknown>): Promise<SavedSettings>;
}

export function useSettings(shape: SettingsOutline): OpenSettings {
  const { messages } = useAdmin();
  const { loaded, state, read, reload, post, change } = useStoredSettings();
  const [edits, setEdits] = useKeptEdits(shape);
  const [problems, setProblems] = useState<readonly SettingProblem[]>([]);
  const [generated, setGenerated] = useState<GeneratedSecrets>();
  const [isBusy, setBusy] = useState(false);
  const latestEdits = useRef(edits);
  latestEdits.current = edits;

  async function undo(patch: Record<string, unknown>): Promise<void> {
    try {
      await change(() => patch);
      messages.notify(t('settings.undone'));
    } catch (failure) {
      messages.fail(toSentence(failure));
    }
  }

  async function readAfterLost(): Promise<SettingValues> {
    await untilBack();
    return (await read()).settings;
  }

  /** It may have been saved all the same, and then says so. */
  async function noteLost(failure: LostError, sent: SettingEdits): Promise<void> {
    const now = await readAfterLost();
    setEdits(withoutStored(latestEdits.current, now));
    if (Object.keys(withoutStored(sent, now)).length > 0) throw failure;
    messages.notify(t('settings.saved'));
  }

  async function send(sent: SettingEdits, { settings, etag }: LoadedSettings, tries = 1): Promise<void> {
    try {
      const after = await post(toPatch(sent), etag);
      setEdits(afterSave(latestEdits.current, sent, after));
      const back = undoOf(sent, shape);
      messages.notify(t('settings.saved'), back && (() => void undo(back)));
      const forgotten = forgottenSecrets(settings, after, sent, shape);
      if (forgotten.length > 0) {
        const names = forgotten.map((path) => propertyAt(shape, path)?.title ?? path);
        messages.fail(t('settings.forgotten', { names: names.join(', ') }));
      }
      if (after.generated) setGenerated(after.generated);
    } catch (failure) {
      if (failure instanceof LostError) return noteLost(failure, sent);
      if (!isMoved(failure)) throw failure;
      const fresh = await read();
      if (conflictsOf(sent, fresh.settings).length > 0) throw new Error(t('settings.conflict'));
      if (tries === MOST_TRIES) throw new Error(t('settings.busy'));
      await send(sent, fresh, tries + 1);
    }
  }

  return {
    ...{ state, edits, problems, isBusy, generated, reload, readAfterLost, change },
    conflicts: loaded ? conflictsOf(edits, loaded.settings) : [],
    forgetGenerated: () => setGenerated(undefined),
    edit(path, value) {
      if (loaded) setEdits(setEdit(latestEdits.current, path, value, storedAt(loaded.settings, path)));
      setProblems(problems.filter((one) => one.path !== path));
    },
    keepMine(path) {
      const mine = latestEdits.current[path];
      if (loaded && mine) {
        setEdits({ ...latestEdits.current, [path]: { ...mine, base: storedAt(loaded.settings, path) } });
      }
    },
    discard() {
      setEdits({});
      setProblems([]);
    },
    async save() {
      if (!loaded || isBusy) return;
      if (Object.keys(edits).length === 0) return messages.notify(t('settings.nothing'));
      setBusy(true);
      setProblems([]);
      try {
        if (conflictsOf(edits, loaded.settings).length > 0) throw new Error(t('settings.conflict'));
        await send(edits, loaded);
      } catch (failure) {
        const details = failure instanceof ApiError ? toSettingProblems(failure.details, shape) : [];
        setProblems(details);
        if (details.length === 0) messages.fail(toSentence(failure));
      } finally {
        setBusy(false);
      }
    },
  };
}

/** Edits, kept in the tab but for secrets: a reload and a look at another screen lose nothing. */
function useKeptEdits(shape: SettingsOutline): readonly [SettingEdits, (edits: SettingEdits) => void] {
  const kept = useKept('settings');
  const [edits, setEdits] = useState(() => parseKept(kept.read(), shape));
  return [
    edits,
    (next) => {
      setEdits(next);
      const plain = toKept(next, shape);
      kept.keep(Object.keys(plain).length === 0 ? '' : JSON.stringify(plain));
    },
  ];
}
