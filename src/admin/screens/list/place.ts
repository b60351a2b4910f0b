// Where in a list one was, for coming back to it.

export interface ListPlace {
  scrollTop: number;
  row: number;
}

const PREFIX = 'colophon:place:';

export function keepPlace(storage: Storage, address: string, place: ListPlace): void {
  storage.setItem(PREFIX + address, JSON.stringify(place));
}

export function findPlace(storage: Pick<Storage, 'getItem'>, address: string): ListPlace | undefined {
  const text = storage.getItem(PREFIX + address);
  return text === null ? undefined : (JSON.parse(text) as ListPlace);
}
