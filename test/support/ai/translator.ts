// A scripted translator: it changes each text that it is sent, and can be made to spoil some.
import type { ScriptedRequest, ScriptedTurn } from './script.ts';

export type TranslateText = (text: string, request: number) => string;

/** A text in marks of its own, so that it shows what was translated. */
export const markText = (text: string): string => `«${text}»`;

export function translator(
  change: TranslateText = markText,
): (request: ScriptedRequest, index: number) => ScriptedTurn {
  return (request, index) => ({
    text: JSON.stringify({ texts: textsOf(request).map((text) => change(text, index)) }),
    pieceChars: 2000,
  });
}

/** The texts of a request; those of the first message, if it is asked once more. */
export function textsOf({ messages }: Pick<ScriptedRequest, 'messages'>): string[] {
  const [, json = ''] = /<untrusted [^>]*>\n([\s\S]*)\n<\/untrusted/.exec(messages[0]?.text ?? '') ?? [];
  return (JSON.parse(json) as { texts: { text: string }[] }).texts.map(({ text }) => text);
}
