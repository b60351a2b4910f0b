// Pushes of thousands of files in one commit, through the service and into the bare repository itself, while clients
// write.
import { join } from 'node:path';
import type { Contribution } from '../contribute.ts';
import { git, headOf } from '../witness.ts';
import { type FaultKind, takeTurns } from './fault.ts';

export const BULK = 'bulk';
const COMMITTER = 'Grace <grace@example.org> 1767225600 +0000';

export const bulkPushes: FaultKind = {
  create({ place: { folder, repository }, contributor, served, bulkFiles, random, say }) {
    const clone = join(folder, 'bulk.git');
    const isServedNext = takeTurns(random);
    let count = 0;

    /** Rewrites all of the documents, in the clone, off its branch. */
    async function makeAll(): Promise<Contribution> {
      const ref = `refs/heads/bulk-${++count}`;
      const lines = [`commit ${ref}`, `committer ${COMMITTER}`, 'data 4', 'bulk'];
      for (let n = 0; n < bulkFiles; n++) {
        const text = textOf(n, count);
        lines.push(`M 100644 inline content/${BULK}/doc-${n}.json`, `data ${Buffer.byteLength(text)}`, text);
      }
      await git(clone, ['fast-import', '--quiet', '--force'], { input: `${lines.join('\n')}\n` });
      const listed = await git(clone, ['ls-tree', '-r', '--format=%(objectname)%x09%(path)', ref]);
      const files = listed
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t') as [blob: string, path: string]);
      const entries = files.map(([blob, path]) => `100644 ${blob}\t${path}\n`).join('');
      return {
        files: files.map(([blob, path]) => ({ blob, place: path.slice('content/'.length, -'.json'.length) })),
        stage: async (run) => void (await run(['update-index', '--add', '--index-info'], entries)),
      };
    }

    return {
      async strike() {
        if (count === 0) await git(folder, ['clone', '--quiet', '--bare', '--no-local', repository, clone]);
        const isServed = isServedNext();
        const contribution = await makeAll();
        const startedAtMs = performance.now();
        const route = {
          where: clone,
          isServed,
          fetch: async () => {
            await git(clone, ['fetch', '--quiet', repository, '+refs/heads/main:refs/heads/main']);
            return headOf(clone);
          },
          publish: async (commit: string) =>
            git(clone, ['push', '--quiet', isServed ? await served() : repository, `${commit}:refs/heads/main`]),
        };
        const isIn = await contributor.contribute(route, async () => contribution);
        const where = isServed ? 'through the service' : 'into the repository';
        say(
          `${bulkFiles} files ${where}: ${isIn ? 'in' : 'lost the race'} after ${Math.round(performance.now() - startedAtMs)} ms`,
        );
      },
    };
  },
};

function textOf(n: number, round: number): string {
  const at = '2026-01-01T00:00:00.000Z';
  const id = `Bulk${String(n).padStart(8, '0')}`;
  const head = { id, slug: `doc-${n}`, collection: BULK, status: 'draft', createdAt: at };
  const updatedAt = new Date(Date.parse(at) + round).toISOString();
  return `${JSON.stringify({ ...head, updatedAt, data: { title: `Document ${n}`, body: `as of ${round}` } }, null, 2)}\n`;
}
