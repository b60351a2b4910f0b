// A rich text field as its source.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { openableKind, Problem, type ShownField, toolbarOf, useNews } from './shown-field.tsx';
import type { SourceFieldProps } from './source-field.tsx';
import { Toolbar } from './toolbar.tsx';

export function SourceView(props: ShownField) {
  const { id, label, value, isSource, isReadOnly = false, problem, say } = props;
  const [Field, setField] = useState<ComponentType<SourceFieldProps>>();
  const [text, setText] = useState(() => toSource(props.echo.current));
  const isJson = openableKind(value) !== 'markdown';
  useEffect(() => {
    let isWanted = true;
    void import('./source-field.tsx').then(({ SourceField }) => isWanted && setField(() => SourceField));
    return () => {
      isWanted = false;
    };
  }, []);
  useNews(props, (news) => setText(toSource(news)));

  function onText(next: string): void {
    setText(next);
    if (!isJson) {
      say(next);
      return;
    }
    try {
      say(JSON.parse(next));
    } catch (error) {
      // A SyntaxError: what was valid last stays the value.
      say(props.echo.current, t('rt.invalidJson', { reason: String(error) }));
    }
  }

  return (
    <div class="rt" aria-busy={Field === undefined}>
      <Toolbar {...toolbarOf(props)} view={undefined} state={undefined} isSource={isSource} isReadOnly={isReadOnly} />
      {Field && (
        <Field
          id={id}
          label={t('rt.sourceOf', { label })}
          value={text}
          language={isJson ? 'json' : 'markdown'}
          onChange={onText}
          isReadOnly={isReadOnly}
          describedBy={props.describedBy}
          isInvalid={props.isInvalid}
          locale={props.locale}
        />
      )}
      <Problem text={problem} />
    </div>
  );
}

function toSource(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
