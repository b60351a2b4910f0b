// Which tile an arrow leads to, by the places of all of them. Pure.

export interface TileBox {
  left: number;
  top: number;
}

/** The index of the next tile; undefined for another key, and at the ends. */
export function moveInTiles(key: string, at: number, boxes: readonly TileBox[]): number | undefined {
  const here = boxes[at];
  if (!here) return undefined;
  const isMirrored = boxes.length > 1 && boxes[1]!.top === boxes[0]!.top && boxes[1]!.left < boxes[0]!.left;
  const step = { ArrowRight: isMirrored ? -1 : 1, ArrowLeft: isMirrored ? 1 : -1 }[key];
  if (step !== undefined) return boxes[at + step] && at + step;
  if (key === 'Home') return 0;
  if (key === 'End') return boxes.length - 1;
  if (key === 'ArrowDown') return nearest(boxes, at, here, (top) => top > here.top, Math.min);
  if (key === 'ArrowUp') return nearest(boxes, at, here, (top) => top < here.top, Math.max);
  return undefined;
}

function nearest(
  boxes: readonly TileBox[],
  at: number,
  here: TileBox,
  isThere: (top: number) => boolean,
  pick: (...tops: number[]) => number,
): number | undefined {
  const rows = boxes.map(({ top }) => top).filter(isThere);
  if (rows.length === 0) return undefined;
  const row = pick(...rows);
  let best: number | undefined;
  boxes.forEach(({ left, top }, index) => {
    if (top !== row || index === at) return;
    if (best === undefined || Math.abs(left - here.left) < Math.abs(boxes[best]!.left - here.left)) best = index;
  });
  return best;
}
