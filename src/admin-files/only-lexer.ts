// Takes out of marked what writes HTML: the admin only reads Markdown, and shows it with parts of its own. The package is
// one file whose last statements make a parser at once, so that a bundler has to keep all of it. Pure.

/** What makes the ready-made parser, and everything from there to the exports. */
const READY_MADE = /var [\w$]+=new [\w$]+;function [\w$]+\([\w$,]+\)\{return [\w$]+\.parse\(.*?export\{([^}]*)\};/s;
const LEXER = /(?:^|,)([\w$]+) as Lexer(?=,|$)/;

/** @throws Error if the text is not made as the version of marked that this was written for. */
export function withoutParser(text: string): string {
  const [, names = ''] = READY_MADE.exec(text) ?? [];
  const lexer = LEXER.exec(names)?.[1];
  if (lexer === undefined) throw new Error('marked is another one than `src/admin-files/only-lexer.ts` knows');
  return text.replace(READY_MADE, () => `export{${lexer} as Lexer};`);
}
