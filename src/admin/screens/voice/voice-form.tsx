// The voice in a form; what is saved is a new version.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useShownProblem } from '../../ai/use-shown-problem.ts';
import type { Resource } from '../../api/resources.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { FieldNotes } from '../../ui/field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { type EditedVoice, useVoiceEdits, type VoiceStore } from './use-voice-edits.ts';
import {
  activeOf,
  type FoundVersions,
  LISTS,
  PARTS,
  toVoiceBody,
  VOICE,
  VOICE_VERSIONS,
  type VoicePart,
  type VoiceVersion,
} from './voice-record.ts';

export interface VoiceFormProps {
  active: VoiceVersion | undefined;
  onClose(): void;
}

export function VoiceForm({ active, onClose }: VoiceFormProps) {
  const { messages } = useAdmin();
  const edited = useVoiceEdits(active, useVoiceStore());
  const [begunWith] = useState(active?.id);
  const { problem, isBusy, errorOf, run } = useSubmit();
  const form = useShownProblem(problem);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  function close(): void {
    edited.discard();
    onClose();
  }

  return (
    <form
      ref={form}
      class="voice-form"
      aria-label={t('voice.editing')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          await edited.save();
          messages.notify(t('voice.saved'));
          close();
        });
      }}
    >
      {problem && (
        <div class="problem" role="alert">
          {problem}
        </div>
      )}
      <div role="status">
        {active && active.id !== begunWith && <p class="note">{t('voice.moved', { who: active.createdBy.name })}</p>}
      </div>
      {PARTS.map((part) => (
        <Part
          key={part}
          part={part}
          value={edited.typed[part]}
          error={errorOf(part) ?? itemError(part, errorOf)}
          onInput={(text) => edited.set(part, text)}
        >
          {edited.clashes.includes(part) && <Clash part={part} edited={edited} />}
        </Part>
      ))}
      <div class="buttons">
        <button type="submit" class="primary" aria-busy={isBusy}>
          {t('voice.saveNew')}
        </button>
        <button type="button" onClick={close}>
          {t('app.cancel')}
        </button>
      </div>
    </form>
  );
}

function useVoiceStore(): VoiceStore {
  const { request, resources } = useAdmin();
  return {
    async read() {
      const resource: Resource<FoundVersions> = resources.get(VOICE_VERSIONS);
      await resource.refresh();
      const state = resource.state.peek();
      return { active: state.kind === 'ready' ? activeOf(state.data) : undefined, etag: resource.etag };
    },
    async save(typed, etag) {
      const headers: Record<string, string> = etag ? { 'If-Match': etag } : {};
      await request('POST', VOICE, { body: toVoiceBody(typed), headers });
    },
  };
}

const MAX_ITEMS = 30;

/** What is wrong with a line of a list. */
function itemError(part: VoicePart, errorOf: (path: string) => string | undefined): string | undefined {
  const errors = Array.from({ length: MAX_ITEMS }, (_, at) => errorOf(`${part}.${at}`));
  const at = errors.findIndex((one) => one !== undefined);
  return at < 0 ? undefined : t('voice.itemError', { count: at + 1, message: errors[at] ?? '' });
}

interface PartProps {
  part: VoicePart;
  value: string;
  error: string | undefined;
  onInput(text: string): void;
  children: ComponentChildren;
}

const idOf = (part: VoicePart): string => `voice-${part}`;
const SHORT: readonly string[] = ['name', 'industry', 'language'];

function Part({ part, value, error, onInput, children }: PartProps) {
  const id = idOf(part);
  const isList = (LISTS as readonly string[]).includes(part);
  const described = [isList && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ');
  const attributes = {
    id,
    value,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? ('true' as const) : undefined,
  };
  return (
    <div class="field">
      <label for={id}>{t(`voice.field.${part}`)}</label>
      {SHORT.includes(part) ? (
        <input {...attributes} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      ) : (
        <textarea {...attributes} rows={isList ? 3 : 2} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      )}
      <FieldNotes {...{ id, error }} help={isList ? t('voice.listHelp') : undefined} />
      {children}
    </div>
  );
}

function Clash({ part, edited }: { part: VoicePart; edited: EditedVoice }) {
  const choose = (act: (part: VoicePart) => void) => () => {
    act(part);
    // The buttons go, and the focus must not go with them.
    document.getElementById(idOf(part))?.focus();
  };
  const theirs = edited.stored[part];
  return (
    <div class="note to-decide" role="alert" aria-label={t(`voice.field.${part}`)}>
      <p>{t('voice.theirs')}</p>
      <p class="words">{theirs === '' ? t('voice.theirsEmpty') : <bdi>{theirs}</bdi>}</p>
      <div class="buttons">
        <button type="button" onClick={choose(edited.keepMine)}>
          {t('voice.keepMine')}
        </button>
        <button type="button" onClick={choose(edited.takeTheirs)}>
          {t('voice.takeTheirs')}
        </button>
      </div>
    </div>
  );
}
