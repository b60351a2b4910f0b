// Text for machines, in the source editor: JSON, a document of HTML, an interactive part with its preview.

import { useState } from 'preact/hooks';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { isEqual } from '../document/is-equal.ts';
import { t } from '../text/translate.ts';
import { type ControlProps, useForm } from './control.ts';
import { HtmlFrame } from './html-frame.tsx';

const missing = (): typeof FieldMissing => FieldMissing;
const SourceField = lazy(() => import('../richtext/source-field.tsx').then((module) => module.SourceField, missing));
const RichTextField = lazy(() =>
  import('../richtext/rich-text-field.tsx').then((module) => module.RichTextField, missing),
);

/** A browser does not ask again for a script that it could not get. */
export function FieldMissing() {
  return (
    <div class="failed-state" role="alert">
      <p>{t('field.missing')}</p>
      <button type="button" onClick={() => location.reload()}>
        {t('app.reload')}
      </button>
    </div>
  );
}

export { ErrorBoundary, RichTextField, SourceField };

export function JsonField({ id, label, value, onChange, isReadOnly, describedBy, isInvalid }: ControlProps) {
  const [typed, setTyped] = useState<{ text: string; value: unknown }>();
  // What others changed replaces the text; what one types oneself stays as it was typed.
  const isOwn = typed !== undefined && isEqual(typed.value, value);
  const text = isOwn ? typed.text : value === undefined || value === null ? '' : JSON.stringify(value, undefined, 2);
  const problem = typed && isOwn ? problemOf(typed.text) : undefined;
  return (
    <>
      <SourceField
        {...{ id, label, isReadOnly, describedBy }}
        language="json"
        value={text}
        isInvalid={isInvalid || problem !== undefined}
        onChange={(next) => {
          const parsed = parse(next);
          setTyped({ text: next, value: parsed.isValid ? parsed.value : value });
          if (parsed.isValid) onChange(parsed.value);
        }}
      />
      {problem && <p class="error">{t('json.invalid', { problem })}</p>}
    </>
  );
}

function parse(text: string): { isValid: true; value: unknown } | { isValid: false; problem: string } {
  if (text.trim() === '') return { isValid: true, value: null };
  try {
    return { isValid: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { isValid: false, problem: error.message };
  }
}

function problemOf(text: string): string | undefined {
  const parsed = parse(text);
  return parsed.isValid ? undefined : parsed.problem;
}

export function HtmlField(props: ControlProps) {
  const { id, label, value, onChange, isReadOnly, describedBy, isInvalid } = props;
  const [isRunning, setRunning] = useState(false);
  const text = typeof value === 'string' ? value : '';
  return (
    <>
      <SourceField
        {...{ id, label, isReadOnly, describedBy, isInvalid }}
        language="html"
        value={text}
        onChange={onChange}
      />
      <div class="buttons">
        <button type="button" aria-expanded={isRunning} onClick={() => setRunning(!isRunning)}>
          {isRunning ? t('html.stop') : t('html.run')}
        </button>
      </div>
      {isRunning && <HtmlFrame label={label} html={text} />}
    </>
  );
}

export function RichText({ field: _, path: __, value, ...props }: ControlProps) {
  const { upload, chooseFile, locale } = useForm();
  const [hasLeftOut, setLeftOut] = useState(false);
  return (
    <div onPasteCapture={() => setLeftOut(false)}>
      <RichTextField
        {...props}
        onLeftOut={setLeftOut}
        value={value ?? undefined}
        {...{ upload, locale }}
        chooseFile={chooseFile && (() => chooseFile('image'))}
      />
      <p class="help" role="status">
        {hasLeftOut && t('rt.leftOut')}
      </p>
    </div>
  );
}
