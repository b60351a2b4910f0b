// External commits, as objects: the scenario decides how they get into the store.
import { encodeCommit, type ObjectType, type Oid, oidOf, parseCommit } from '../../../src/store/git/objects.ts';
import { readTreeEntries } from '../../../src/store/git/tree-check.ts';
import type { Odb } from '../../../src/store/repository/odb.ts';
import type { Files } from './stage.ts';

export interface ExternalObject {
  oid: Oid;
  type: ObjectType;
  body: Buffer;
}

export interface ExternalCommit {
  commit: Oid;
  /** All new objects, each after the ones that it names. */
  objects: ExternalObject[];
}

interface Entry {
  name: string;
  mode: string;
  oid: Oid;
}

const PERSON = { name: 'Grace', email: 'grace@example.org' };

/** Files on top of a commit; null removes one. */
export function makeExternalCommit(odb: Pick<Odb, 'get'>, parent: Oid | null, files: Files): ExternalCommit {
  const objects: ExternalObject[] = [];

  function store(type: ObjectType, body: Buffer): Oid {
    const oid = oidOf(type, body);
    objects.push({ oid, type, body });
    return oid;
  }

  function storeTree(before: Oid | undefined, changed: [string[], string | null][]): Oid {
    const entries = new Map<string, Entry>();
    for (const entry of before ? readTreeEntries(odb.get(before, 'tree')) : []) entries.set(entry.name, entry);
    for (const name of new Set(changed.map(([segments]) => segments[0]!))) {
      const inside = changed.filter(([segments]) => segments[0] === name);
      const [[segments, text]] = inside as [[string[], string | null]];
      if (segments.length > 1) {
        const below = inside.map(([[, ...rest], content]): [string[], string | null] => [rest, content]);
        entries.set(name, { name, mode: '40000', oid: storeTree(entries.get(name)?.oid, below) });
      } else if (text === null) entries.delete(name);
      else entries.set(name, { name, mode: '100644', oid: store('blob', Buffer.from(text)) });
    }
    const order = ({ name, mode }: Entry): string => (mode === '40000' ? `${name}/` : name);
    const sorted = [...entries.values()].sort((a, b) => Buffer.compare(Buffer.from(order(a)), Buffer.from(order(b))));
    const parts = sorted.map(({ name, mode, oid }) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
    );
    return store('tree', Buffer.concat(parts));
  }

  const base = parent ? parseCommit(odb.get(parent, 'commit')).tree : undefined;
  const tree = storeTree(
    base,
    Object.entries(files).map(([file, text]) => [file.split('/'), text]),
  );
  const commit = store(
    'commit',
    encodeCommit({
      tree,
      parents: parent ? [parent] : [],
      author: PERSON,
      committer: PERSON,
      authoredAt: 1_767_400_000,
      committedAt: 1_767_400_000,
      message: 'beside the service\n',
    }),
  );
  return { commit, objects };
}
