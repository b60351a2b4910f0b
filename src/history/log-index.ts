// The log as an index in memory: every commit in log order, the documents that each commit changed, and each document's
// changes from newest to oldest. Numbers in typed arrays, because a site keeps its whole history: some 64 bytes a
// commit. A commit's metadata (who, when, why) stays in the repository.
import { KeyTable } from '../lib/memory/key-table.ts';
import { NumberColumn } from '../lib/memory/number-column.ts';

/** The place that a document has, or had. */
export interface DocumentPlace {
  collection: string;
  slug: string;
}

/** What a commit did to one document. */
export interface DocumentChange {
  /** 12 letters and digits. */
  id: string;
  /** The file after the change; undefined if it was not looked up yet, and for a deletion. */
  blob?: string | undefined;
  /** The file's path, if the commit wrote several files with the same bytes, or did not write this one. */
  path?: string | undefined;
  /** Only for a deletion: where the document was. */
  gone?: DocumentPlace | undefined;
}

const OID_BYTES = 20;
const ID_BYTES = 12;
/** Bit in the document column: the change deleted the document. */
const GONE = 0x80000000;
const UNKNOWN = Buffer.alloc(OID_BYTES);
/** A buffer reused for each lookup of an id: a commit may have tens of thousands. */
const idBytes = Buffer.alloc(ID_BYTES);

/** The result is valid until the next call. */
function bytesOfId(id: string): Buffer {
  if (id.length !== ID_BYTES) return Buffer.from(id, 'latin1');
  idBytes.write(id, 'latin1');
  return idBytes;
}

/** Sections of the saved file, by name. */
export type IndexSections = Record<string, Buffer>;

/**
 * Commits have positions; changes and documents have numbers. All count from 0, and -1 means "not found". The
 * changes of a commit are consecutive.
 */
export class LogIndex {
  #commits = new KeyTable(OID_BYTES);
  #documents = new KeyTable(ID_BYTES);
  /** By change. */
  #commitOf = new NumberColumn();
  #documentOf = new NumberColumn();
  /** The number of the same document's previous change, plus one. */
  #previous = new NumberColumn();
  #blobs = new NumberColumn(OID_BYTES / 4);
  /** By document: the number of its newest change plus one, and the count of its changes. */
  #last = new NumberColumn();
  #count = new NumberColumn();
  /** By change, in log order. */
  #graves = new Map<number, DocumentPlace>();
  /** By change. */
  #paths = new Map<number, string>();

  #cuts = 0;

  /** Incremented whenever commits are removed: positions and change numbers read before are no longer valid. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Number of commits. */
  get size(): number {
    return this.#commits.size;
  }

  get changes(): number {
    return this.#commitOf.length;
  }

  get sizeBytes(): number {
    const columns = [this.#commitOf, this.#documentOf, this.#previous, this.#blobs, this.#last, this.#count];
    return columns.reduce((sum, column) => sum + column.sizeBytes, this.#commits.sizeBytes + this.#documents.sizeBytes);
  }

  /** The newest commit. */
  get head(): string | undefined {
    return this.size ? this.commitAt(this.size - 1) : undefined;
  }

  commitAt(position: number): string {
    return this.#commits.keyOf(position).toString('hex');
  }

  positionOf(commit: string): number {
    return this.#commits.find(Buffer.from(commit, 'hex'));
  }

  append(commit: string, changes: readonly DocumentChange[]): void {
    const position = this.size;
    if (this.#commits.add(Buffer.from(commit, 'hex')) !== position) throw new Error(`commit ${commit} came twice`);
    for (const { id, blob, path, gone } of changes) {
      const document = this.#documents.add(bytesOfId(id));
      if (document === this.#last.length) {
        this.#last.push(0);
        this.#count.push(0);
      }
      const change = this.changes;
      this.#commitOf.push(position);
      this.#documentOf.push(gone ? (document | GONE) >>> 0 : document);
      this.#previous.push(this.#last.get(document));
      this.#blobs.pushHex(gone ? undefined : blob);
      this.#last.set(document, change + 1);
      this.#count.set(document, this.#count.get(document) + 1);
      if (gone) this.#graves.set(change, gone);
      else if (path !== undefined) this.#paths.set(change, path);
    }
  }

  /** Removes all commits from this position on, which are no longer in the log. */
  truncate(position: number): void {
    this.#cuts++;
    const from = this.firstChangeOf(position);
    for (let change = this.changes - 1; change >= from; change--) {
      const document = this.documentOf(change);
      this.#last.set(document, this.#previous.get(change));
      this.#count.set(document, this.#count.get(document) - 1);
      this.#graves.delete(change);
      this.#paths.delete(change);
    }
    for (const column of [this.#commitOf, this.#documentOf, this.#previous, this.#blobs]) column.truncate(from);
    this.#commits.truncate(position);
  }

  /** The number of the first change at or after a position. */
  firstChangeOf(position: number): number {
    let low = 0;
    let high = this.changes;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#commitOf.get(middle) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  findDocument(id: string): number {
    const document = this.#documents.find(bytesOfId(id));
    return document >= 0 && this.#count.get(document) > 0 ? document : -1;
  }

  idOf(document: number): string {
    return this.#documents.keyOf(document).toString('latin1');
  }

  countOf(document: number): number {
    return this.#count.get(document);
  }

  lastChangeOf(document: number): number {
    return this.#last.get(document) - 1;
  }

  /** The same document's change before this one. */
  previousOf(change: number): number {
    return this.#previous.get(change) - 1;
  }

  /** The document's newest change at or before a position. */
  changeAt(document: number, position: number): number {
    let change = this.lastChangeOf(document);
    while (change >= 0 && this.#commitOf.get(change) > position) change = this.previousOf(change);
    return change;
  }

  /** A commit's change to a document; -1 if the commit did not change it. */
  findChange(commit: string, id: string): number {
    const position = this.positionOf(commit);
    const document = this.findDocument(id);
    if (position < 0 || document < 0) return -1;
    const change = this.changeAt(document, position);
    return change >= 0 && this.positionOfChange(change) === position ? change : -1;
  }

  positionOfChange(change: number): number {
    return this.#commitOf.get(change);
  }

  documentOf(change: number): number {
    return this.#documentOf.get(change) & ~GONE;
  }

  isGone(change: number): boolean {
    return this.#documentOf.get(change) >= GONE;
  }

  /** The file after the change; undefined if it is not known yet, and for a deletion. */
  blobOf(change: number): string | undefined {
    const blob = this.#blobs.bytesAt(change);
    return blob.equals(UNKNOWN) ? undefined : blob.toString('hex');
  }

  setBlob(change: number, blob: string): void {
    Buffer.from(blob, 'hex').copy(this.#blobs.bytesAt(change));
  }

  /** The path of the file after the change, if the commit's trees do not name it. */
  pathOf(change: number): string | undefined {
    return this.#paths.get(change);
  }

  /** Deletions of documents that did not change again, newest first. */
  *graves(): Generator<{ change: number; place: DocumentPlace }> {
    for (const change of [...this.#graves.keys()].reverse()) {
      if (this.lastChangeOf(this.documentOf(change)) !== change) continue;
      yield { change, place: this.#graves.get(change)! };
    }
  }

  /** A copy of the whole index, as of now. */
  save(): IndexSections {
    return {
      commits: Buffer.from(this.#commits.bytes),
      documents: Buffer.from(this.#documents.bytes),
      commitOf: this.#commitOf.save(),
      documentOf: this.#documentOf.save(),
      previous: this.#previous.save(),
      blobs: this.#blobs.save(),
      last: this.#last.save(),
      count: this.#count.save(),
      graves: Buffer.from(JSON.stringify([...this.#graves])),
      paths: Buffer.from(JSON.stringify([...this.#paths])),
    };
  }

  static load(sections: ReadonlyMap<string, Buffer>): LogIndex {
    const bytes = (name: string): Buffer => sections.get(name) ?? Buffer.alloc(0);
    const index = new LogIndex();
    index.#commits = new KeyTable(OID_BYTES, bytes('commits'));
    index.#documents = new KeyTable(ID_BYTES, bytes('documents'));
    index.#commitOf = new NumberColumn(1, bytes('commitOf'));
    index.#documentOf = new NumberColumn(1, bytes('documentOf'));
    index.#previous = new NumberColumn(1, bytes('previous'));
    index.#blobs = new NumberColumn(OID_BYTES / 4, bytes('blobs'));
    index.#last = new NumberColumn(1, bytes('last'));
    index.#count = new NumberColumn(1, bytes('count'));
    index.#graves = new Map(JSON.parse(bytes('graves').toString('utf8') || '[]') as [number, DocumentPlace][]);
    index.#paths = new Map(JSON.parse(bytes('paths').toString('utf8') || '[]') as [number, string][]);
    return index;
  }
}
