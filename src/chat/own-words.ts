// Keeps a model from repeating its instructions word for word. Whatever it is made to paraphrase is no secret either:
// the prompt has none. Text is held back only while it may be the beginning of such a sentence.

export interface OwnWords {
  push(piece: string): string;
  end(): string;
}

const MIN_SENTENCE_CHARS = 30;
const WITHHELD = '(withheld)';

/** The sentences of instructions that are long enough to differ from other text. */
export function toSentences(instructions: string): string[] {
  return instructions
    .split(/(?<=[.:;!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter(({ length }) => length >= MIN_SENTENCE_CHARS);
}

export function createOwnWords(sentences: readonly string[]): OwnWords {
  let held = '';

  function read(isEnd: boolean): string {
    for (const sentence of sentences) held = held.replaceAll(sentence, WITHHELD);
    const kept = isEnd ? 0 : begun(held);
    const out = held.slice(0, held.length - kept);
    held = held.slice(held.length - kept);
    return out;
  }

  /** Length of the longest end of the text that may become a sentence. */
  function begun(text: string): number {
    let longest = 0;
    for (const sentence of sentences) {
      for (let length = Math.min(text.length, sentence.length - 1); length > longest; length--) {
        if (text.endsWith(sentence.slice(0, length))) longest = length;
      }
    }
    return longest;
  }

  return {
    push(piece) {
      held += piece;
      return read(false);
    },
    end: () => read(true),
  };
}
