// The question that an action of a document asks.

export interface Reference {
  collection: string;
  slug: string;
  title: string;
  field: string;
}

export type OpenDialog =
  | { kind: 'schedule' }
  | { kind: 'rename' }
  | { kind: 'delete'; references: readonly Reference[]; total: number };
