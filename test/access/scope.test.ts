import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { coversEverySite, coversSite, type Resource } from '../../src/access/scope.ts';

const SITES = [
  { id: 'a', org: 'one' },
  { id: 'b', org: 'one' },
  { id: 'c', org: 'two' },
];

/** `+site:a,b -org:*` */
function parse(text: string): Resource[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((item) => {
      const [, sign, scope, targets = ''] = /^([+-])(\w+):(.*)$/.exec(item) ?? [];
      return {
        scope: scope === 'org' ? 'org' : 'site',
        effect: sign === '+' ? 'include' : 'exclude',
        targets: targets === '*' ? '*' : targets.split(',').filter(Boolean),
      };
    });
}

for (const [text, covered, everySite] of [
  ['', 'abc', true],
  ['+site:*', 'abc', true],
  ['+org:*', 'abc', true],
  ['+site:a', 'a', false],
  ['+site:a,c', 'ac', false],
  ['+site:a +site:b', 'ab', false],
  ['+org:one', 'ab', false],
  ['+org:one +site:c', 'abc', false],
  ['+org:one -site:a', 'b', false],
  ['-site:a', 'bc', false],
  ['-org:one', 'c', false],
  ['+site:a -site:a', '', false],
  ['+site:a -org:one', '', false],
  ['+site:* -site:c', 'ab', false],
  ['+site:* -site:*', '', false],
  ['+org:* -org:two', 'ab', false],
  ['+site:', '', false],
  ['+site:* -site:', 'abc', true],
  ['+site:unknown', '', false],
  // Names of organisations and of sites are separate.
  ['+site:one', '', false],
  ['+org:a', '', false],
] as const) {
  test(`resources "${text}" cover "${covered}"`, () => {
    const resources = parse(text);
    const ids = SITES.filter((site) => coversSite(resources, site)).map(({ id }) => id);
    assert.is(ids.join(''), covered);
    assert.is(coversEverySite(resources), everySite);
  });
}

test.run();
