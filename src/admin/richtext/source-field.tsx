// Source text: Markdown, JSON or HTML, in an editor of its own.
import { useEffect, useRef, useState } from 'preact/hooks';
import { createEcho } from './echo.ts';
import { createSourceEditor, type SourceEditor } from './source-editor.ts';

export type SourceLanguage = 'markdown' | 'json' | 'html';

export interface SourceFieldProps {
  id: string;
  /** The name of the text box. */
  label: string;
  value: string;
  language: SourceLanguage;
  /** Called with each change of the text. */
  onChange(value: string): void;
  isReadOnly?: boolean | undefined;
  /** Ids of its help and its errors. */
  describedBy?: string | undefined;
  isInvalid?: boolean | undefined;
  /** The language of Markdown. */
  locale?: string | undefined;
}

export function SourceField(props: SourceFieldProps) {
  const { id, label, value, language, isReadOnly = false, describedBy, isInvalid = false } = props;
  const locale = language === 'markdown' ? (props.locale ?? '') : undefined;
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<SourceEditor>(undefined);
  const onChange = useRef(props.onChange);
  onChange.current = props.onChange;
  const [echo] = useState(() => createEcho(value));

  useEffect(() => {
    if (!place.current) return undefined;
    const made = createSourceEditor(place.current, {
      value,
      onChange(text) {
        echo.say(text);
        onChange.current(text);
      },
    });
    editor.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => {
    if (echo.isNews(value)) editor.current?.setText(value);
  }, [value]);
  useEffect(() => {
    editor.current?.setLook({ id, label, isReadOnly, describedBy, isInvalid, locale });
  }, [id, label, isReadOnly, describedBy, isInvalid, locale]);
  useEffect(() => void editor.current?.setLanguage(language), [language]);

  return <div class="source" ref={place} />;
}
