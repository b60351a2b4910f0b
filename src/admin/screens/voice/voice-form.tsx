// The voice in a form; what is saved is a new version.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { FieldNotes } from '../../ui/field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { readVoice, useKeptVoice } from './kept-voice.ts';
import {
  LISTS,
  type ListPart,
  PARTS,
  type TextPart,
  toTypedVoice,
  toVoiceBody,
  type VoiceVersion,
} from './voice-record.ts';

export interface VoiceFormProps {
  active: VoiceVersion | undefined;
  onClose(): void;
}

export function VoiceForm({ active, onClose }: VoiceFormProps) {
  const { request, messages } = useAdmin();
  const kept = useKeptVoice();
  const [typed, setTyped] = useState(() => readVoice(kept) ?? toTypedVoice(active ?? {}));
  const { problem, isBusy, errorOf, run } = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  function cancel(): void {
    kept.keep('');
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
          await request('POST', '/api/cms/brand-voice', { body: toVoiceBody(typed) });
          messages.notify(t('voice.saved'));
          kept.keep('');
          onClose();
        });
      }}
    >
      {problem && (
        <div class="problem" role="alert">
          {problem}
        </div>
      )}
      {PARTS.map((part) => (
        <Part
          key={part}
          part={part}
          value={typed[part]}
          error={errorOf(part)}
          onInput={(text) => {
            const next = { ...typed, [part]: text };
            setTyped(next);
            kept.keep(JSON.stringify(next));
          }}
        />
      ))}
      <div class="buttons">
        <button type="submit" class="primary" aria-busy={isBusy}>
          {t('voice.saveNew')}
        </button>
        <button type="button" onClick={cancel}>
          {t('app.cancel')}
        </button>
      </div>
    </form>
  );
}

interface PartProps {
  part: TextPart | ListPart;
  value: string;
  error: string | undefined;
  onInput(text: string): void;
}

const SHORT: readonly string[] = ['name', 'industry', 'language'];

function Part({ part, value, error, onInput }: PartProps) {
  const id = useId();
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
    </div>
  );
}
