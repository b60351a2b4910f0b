// The thread that takes a document apart and puts it together: a text made to be slow costs its own request some
// seconds, and nothing else any time.
import { parentPort, workerData } from 'node:worker_threads';
import type { BlockConfig, FieldConfig } from '../../config/site-config.ts';
import { mapData } from './data.ts';
import type { TextMap, TextUnit } from './text-map.ts';
import type { TextsOrder } from './text-thread.ts';

const { data, fields, blocks } = workerData as {
  data: Record<string, unknown>;
  fields: FieldConfig[];
  blocks: BlockConfig[];
};
const blocksByName = new Map(blocks.map((block) => [block.name, block]));
const walk = (texts: TextMap): Record<string, unknown> => mapData(data, fields, blocksByName, texts);

parentPort?.on('message', (order: TextsOrder) => {
  parentPort?.postMessage(order.type === 'collect' ? collect() : place(order.texts));
});

function collect(): TextUnit[] {
  const units: TextUnit[] = [];
  walk({ map: (unit) => void units.push(unit), keep: () => undefined });
  return units;
}

/** Walks again and puts the texts in, in the same order. */
function place(texts: readonly string[]) {
  const kept: { path: string; message: string }[] = [];
  let at = 0;
  const value = walk({ map: () => texts[at++], keep: (path, message) => void kept.push({ path, message }) });
  return { value, kept };
}
