import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** What is wrong in a long form is shown when its button, far below, was pressed: the first place to put right has the focus. */
export function useShownProblem(problem: string | undefined): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (problem === undefined) return;
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .to-decide button');
    if (first) first.focus();
    else form.current?.querySelector('.problem')?.scrollIntoView({ block: 'center' });
  }, [problem]);
  return form;
}
