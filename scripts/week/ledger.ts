// What everyone wrote during the week, word by word: whether it must still be there, and who took it away if it need not.

export interface Written {
  word: string;
  who: string;
  slug: string;
  kind: string;
  /** The people who removed it on purpose: they had it before them when they wrote. */
  removedBy: string[];
}

export interface Ledger {
  readonly words: Written[];
  /** A new word, which is not in the ledger before its edit is accepted. */
  next(): string;
  /** An accepted edit: the words of `before` that `after` lacks were removed on purpose. */
  accept(edit: Omit<Written, 'removedBy'>, before: string, after: string): void;
  /** Words that nobody removed and `text` does not show. */
  missing(slug: string, text: string): Written[];
}

const WORD = /wk[0-9a-z]+wk/g;

export function createLedger(): Ledger {
  const words: Written[] = [];
  let count = 0;

  function remove(slug: string, who: string, before: string, after: string): void {
    for (const [word] of before.matchAll(WORD)) {
      if (after.includes(word)) continue;
      const found = words.find((one) => one.word === word && one.slug === slug);
      found?.removedBy.push(who);
    }
  }

  return {
    words,
    next: () => `wk${(count++).toString(36).padStart(4, '0')}wk`,
    accept(edit, before, after) {
      words.push({ ...edit, removedBy: [] });
      remove(edit.slug, edit.who, before, after);
      // A person who resolved a conflict may have dropped a word of their own.
      if (!after.includes(edit.word)) remove(edit.slug, edit.who, edit.word, after);
    },
    missing: (slug, text) =>
      words.filter((one) => one.slug === slug && one.removedBy.length === 0 && !text.includes(one.word)),
  };
}
