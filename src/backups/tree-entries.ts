// The entries of a folder in the repository, from its tree object.

export interface TreeObjects {
  get(oid: string, type: 'tree'): Buffer;
}

export interface NamedEntry {
  name: string;
  isFolder: boolean;
  oid: string;
}

export function* entriesOf(odb: TreeObjects, tree: string): Generator<NamedEntry> {
  const bytes = odb.get(tree, 'tree');
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const zero = bytes.indexOf(0, space);
    const mode = bytes.toString('latin1', at, space);
    yield {
      name: bytes.toString('utf8', space + 1, zero),
      isFolder: mode === '40000',
      oid: bytes.toString('hex', zero + 1, zero + 21),
    };
    at = zero + 21;
  }
}
