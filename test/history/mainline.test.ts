// The log's line of commits, in repositories with external merges.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommitRecord } from '../../src/history/commit-record.ts';
import { findMainline } from '../../src/history/mainline.ts';

/** Commits by name to their parents; names in capitals are ours. */
type Graph = Record<string, string>;

async function lineOf(graph: Graph, head: string, known: string[] = []): Promise<[base: number, line: string]> {
  const { base, line } = await findMainline(head, {
    positionOf: (commit) => known.indexOf(commit),
    breathe: () => undefined,
    read: (commit) => {
      const isOurs = commit === commit.toUpperCase();
      const parents = [...(graph[commit] ?? '')];
      return { parents, own: isOurs ? {} : undefined } as unknown as CommitRecord;
    },
  });
  return [base, line.map(({ commit }) => commit).join('')];
}

test('without merges the line has all commits', async () => {
  const graph = { C: 'B', B: 'a', a: '' };
  assert.equal(await lineOf(graph, 'C'), [-1, 'aBC']);
  assert.equal(await lineOf(graph, 'C', ['a', 'B']), [1, 'C']);
  assert.equal(await lineOf(graph, 'B', ['a', 'B']), [1, '']);
});

test('a merged branch is one change of the line that it was merged into', async () => {
  assert.equal(await lineOf({ m: 'Bt', t: 's', s: 'A', B: 'A', A: '' }, 'm'), [-1, 'ABm']);
});

test('if our commits were merged into an external branch, the line goes through ours', async () => {
  assert.equal(await lineOf({ m: 'tB', t: 's', s: 'A', B: 'A', A: '' }, 'm'), [-1, 'ABm']);
  // A second merge on top, with an external commit between.
  const graph = { D: 'n', n: 'uc', c: 'm', u: 'A', m: 'tB', t: 'A', B: 'A', A: '' };
  assert.equal(await lineOf(graph, 'D'), [-1, 'ABmcnD']);
});

test('the line goes through commits that the log already has, ours and external ones', async () => {
  const graph = { m: 'te', t: 'A', e: 'A', A: '' };
  assert.equal(await lineOf(graph, 'm', ['A', 'e']), [1, 'm']);
  assert.equal(await lineOf(graph, 'm', ['A']), [0, 'tm']);
});

test('if no commit on either side is ours, the line follows first parents', async () => {
  assert.equal(await lineOf({ m: 'tb', t: 'a', b: 'a', a: '' }, 'm'), [-1, 'atm']);
  assert.equal(await lineOf({ m: 'yx', x: '', y: '' }, 'm'), [-1, 'ym']);
});

test('a long history needs no deep recursion', async () => {
  const graph: Graph = {};
  const name = (n: number): string => String.fromCodePoint(0x4e00 + n);
  for (let n = 0; n < 20_000; n++) graph[name(n)] = n ? name(n - 1) : '';
  graph.m = `${name(19_999)}${name(5)}`;
  const [base, line] = await lineOf(graph, 'm');
  assert.equal([base, line.length], [-1, 20_001]);
});

test.run();
