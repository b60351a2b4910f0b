// Rich text of a document: a Markdown string, or a document of TipTap as JSON. A value never changes its kind.
import { useState } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { createEcho } from './echo.ts';
import { openableKind, type RichTextFieldProps } from './shown-field.tsx';
import { SourceView } from './source-view.tsx';
import { WordView } from './word-view.tsx';

export type { RichTextFieldProps, RichTextImage } from './shown-field.tsx';

export function RichTextField(props: RichTextFieldProps) {
  const { value, onChange } = props;
  const [isSource, setSource] = useState(false);
  const [problem, setProblem] = useState('');
  const [echo] = useState(() => createEcho(value));
  const say = (next: unknown, complaint = ''): void => {
    echo.say(next);
    setProblem(complaint);
    onChange(next);
  };
  const kind = openableKind(value);
  const onSource = (): void => setSource(!isSource);
  const onUnread = (): void => {
    setSource(true);
    setProblem(t('rt.unread'));
  };
  const isShownAsSource = isSource || kind === undefined;
  const shown = { ...props, isSource: isShownAsSource, ...{ onSource, problem, say, echo } };
  return isShownAsSource ? (
    <SourceView {...shown} />
  ) : (
    <WordView {...shown} key={kind} setProblem={setProblem} onUnread={onUnread} />
  );
}
