// Where in a list one was, for coming back to it.

export interface ListPlace {
  scrollTop: number;
  row: number;
}

export function keepPlace(storage: Storage, key: string, place: ListPlace): void {
  storage.setItem(key, JSON.stringify(place));
}

export function findPlace(storage: Pick<Storage, 'getItem'>, key: string): ListPlace | undefined {
  const text = storage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as ListPlace);
}
