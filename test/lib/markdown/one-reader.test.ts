// Who reads the Markdown of people: the lexer that has a bound, and nothing beside it.
import { test } from 'uvu';
import { check, type Rule, readSources, trust } from '../../support/source.ts';

/** Ours, and what writes the HTML of tokens that are read already. */
const READS_WITH_MARKED = /^src\/(lib\/markdown\/|build\/rich-text\/markdown\.ts$|admin-files\/help\.ts$)/;

const markdownIsReadInLinearTime: Rule = ({ path: from, imports }) =>
  from.startsWith('src/') && !READS_WITH_MARKED.test(from)
    ? imports.filter((found) => found.package === 'marked' && !found.isType).map(() => 'reads with marked itself')
    : [];

test('the Markdown of people is read by the lexer that has a bound', () => {
  trust(markdownIsReadInLinearTime, {
    bad: [['src/links/a.ts', "import { lexer } from 'marked';"]],
    good: [['src/links/a.ts', "import type { Token } from 'marked';"]],
  });
  check(markdownIsReadInLinearTime, readSources(['src/**/*.{ts,tsx}']));
});

test.run();
