/** A replaced range of a tree's bytes; deltas and undo are built from these. */
export interface TreeEdit {
  at: number;
  removed: Buffer;
  inserted: Buffer;
}
