// Markdown of a model; what reads it is loaded when there is some.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

type Draw = (props: { text: string }) => ComponentChildren;

let loaded: Draw | undefined;

/** Until its reader is there, and if it cannot be had, the text stands as it is. */
export function Markdown({ text }: { text: string }) {
  const [Drawn, setDrawn] = useState<Draw | undefined>(() => loaded);
  useEffect(() => {
    if (Drawn) return;
    import('./drawn-markdown.tsx').then(
      (module) => {
        loaded = module.DrawnMarkdown;
        setDrawn(() => module.DrawnMarkdown);
      },
      () => undefined,
    );
  }, []);
  if (!Drawn) return <div class="markdown words">{text}</div>;
  return <Drawn text={text} />;
}
