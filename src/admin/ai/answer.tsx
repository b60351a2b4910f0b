import { Markdown } from './markdown.tsx';
import type { AnswerPart } from './steps.ts';
import { ToolStepView } from './tool-step.tsx';

/** What a model says and does, in its order. */
export function AnswerView({ parts }: { parts: readonly AnswerPart[] }) {
  return (
    <>
      {parts.map((part, at) =>
        part.kind === 'text' ? (
          <Markdown key={`${at}`} text={part.text} />
        ) : (
          <ToolStepView key={`${at}`} step={part.step} />
        ),
      )}
    </>
  );
}
