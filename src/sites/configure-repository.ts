// `.gitattributes` of a site's repository: part of the first commit that the service makes, and a commit of its own at
// a start on a repository that lacks some of its lines. What people have in the file stays.
import { ATTRIBUTES_PATH, extendAttributes, newAttributes } from '../lib/git-attributes.ts';
import type { Warn } from '../lib/warn.ts';
import { COMMITTER } from '../store/committer.ts';
import { isRegular } from '../store/intake/intake-tree.ts';
import type { Draft, Log } from '../store/log/log.ts';
import { NO_DOCUMENT, type Rebase } from '../store/log/replant.ts';
import type { FileChange } from '../store/log/tree-set.ts';
import type { Odb } from '../store/repository/odb.ts';

/** Larger files are left alone; git itself ignores those above 100 MB. */
const MAX_BYTES = 1 << 20;

const isOther = ({ path }: FileChange): boolean => path !== ATTRIBUTES_PATH;

/** Adds `.gitattributes` to the first commit. */
export function addToFirstCommit(log: Log): Log {
  let isBegun = false;
  return {
    ...log,
    append(draft) {
      isBegun ||= log.status().head !== null;
      return log.append(isBegun || log.find(ATTRIBUTES_PATH) ? draft : withAttributes(draft));
    },
  };
}

/** The change's own files keep their order and ids; its writer never learns of the other one. */
function withAttributes(draft: Draft): Draft {
  const { replaying, replayed } = draft;
  return {
    ...draft,
    files: [...draft.files, { path: ATTRIBUTES_PATH, content: newAttributes() }],
    ...(replaying && { replaying: (files, ...rest) => replaying(files.filter(isOther), ...rest) }),
    ...(replayed && { replayed: (files, ...rest) => replayed(files.filter(isOther), ...rest) }),
  };
}

/** For the changes of one replay: extends the file that the external commits have; `others` rebases all other files. */
export function createAttributesRebase(others: Rebase): Rebase {
  const rebase: Rebase = (files, around) => {
    const own = files.find((file) => !isOther(file));
    if (!own?.content) return others(files, around);
    const rest = files.filter(isOther);
    const rebased = others(rest, around);
    const theirs = around.theirs(ATTRIBUTES_PATH);
    const content = theirs === undefined ? own.content : theirs === NO_DOCUMENT ? undefined : extendAttributes(theirs);
    if (rebased === rest && content?.equals(own.content)) return files;
    return content ? [...rebased, { path: ATTRIBUTES_PATH, content }] : rebased;
  };
  rebase.prepare = others.prepare;
  rebase.reword = others.reword;
  rebase.overwritten = others.overwritten;
  return rebase;
}

export interface ConfigureParts {
  log: Pick<Log, 'append' | 'find' | 'findWaiting' | 'status'>;
  odb: Pick<Odb, 'get' | 'measure'>;
  now(): Date;
  warn: Warn;
}

/** Resolves once the missing lines are a durable commit; a site that takes no writes now is configured another time. */
export async function configureRepository({ log, odb, now, warn }: ConfigureParts): Promise<void> {
  const { head, refusal, moved } = log.status();
  if (head === null || refusal || moved) return;
  const entry = log.find(ATTRIBUTES_PATH);
  if (entry && !isRegular(entry.mode)) return;
  try {
    const before = entry ? (log.findWaiting(entry.oid) ?? readBounded(odb, entry.oid)) : Buffer.alloc(0);
    const content = before && extendAttributes(before);
    if (!content) return;
    await log.append({
      files: [{ path: ATTRIBUTES_PATH, content }],
      author: COMMITTER,
      at: now().getTime(),
      subject: `repository: ${entry ? 'extend' : 'add'} ${ATTRIBUTES_PATH}`,
      trailers: ['Event: repository.configured', 'Actor: system'],
      apply: () => undefined,
      undo: () => undefined,
    }).durable;
  } catch (error) {
    warn(`${ATTRIBUTES_PATH} cannot be added to the repository now; the next start tries again`, error);
  }
}

function readBounded(odb: ConfigureParts['odb'], oid: string): Buffer | undefined {
  const measured = odb.measure(oid);
  return measured && measured.largestBytes <= MAX_BYTES ? odb.get(oid, 'blob', MAX_BYTES) : undefined;
}
