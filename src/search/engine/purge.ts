// Removes the remains of removed documents from the index, a little with every write, so that there is no pause and no
// timer. A pass goes through all postings, then the vocabularies, then the kept text, and frees numbers and pages for
// reuse only at its end. It therefore waits while a query or a save is under way.
import { LEAVING } from './document-table.ts';
import type { IndexData } from './evaluate.ts';
import { DOCUMENT_SHIFT } from './posting.ts';

/** A pass begins when the dead documents are more than this share of the live ones, and more than this many. */
const DEAD_SHARE = 0.2;
const DEAD_MIN = 256;
/** Entries to read with one write: about 0.05 ms. */
const STEP = 16_384;
/** The cost of visiting a word, a document or a gram list, in entries. */
const VISIT_COST = 16;

function* pass({ documents, words, chunks, letters, kept }: IndexData): Generator<void, void> {
  documents.beginPurge();
  let budget = STEP;
  const spend = (cost: number): boolean => {
    budget -= cost;
    if (budget > 0) return false;
    budget = STEP;
    return true;
  };
  for (const { postings } of [words, chunks]) {
    for (let word = 0; word < postings.size(); word++) {
      const length = postings.count(word);
      postings.drop(word, documents.states(), DOCUMENT_SHIFT, LEAVING);
      if (spend(length + VISIT_COST)) yield;
    }
  }
  const leaving = documents.bitsOf(LEAVING);
  for (let number = 0; number < letters.count(); number++) if (spend(letters.sweep(number, leaving))) yield;
  for (const { vocabulary, postings } of [words, chunks]) {
    for (let shard = 0; shard < vocabulary.shards; shard++) {
      vocabulary.forget(shard, (word) => postings.count(word) > 0);
      if (spend((vocabulary.size() / vocabulary.shards) * VISIT_COST)) yield;
    }
    for (let list = 0; list < vocabulary.gramCount(); list++) if (spend(vocabulary.sweep(list) + VISIT_COST)) yield;
  }
  for (let doc = 0; doc < documents.size(); doc++) {
    if (documents.isLive(doc)) {
      const segment = documents.segmentOf(doc);
      if (segment.length > 0 && kept.isSparse(segment.page)) {
        documents.setSegment(doc, kept.move(segment));
        if (spend(segment.length)) yield;
      }
    }
    if (spend(VISIT_COST)) yield;
  }
  kept.reclaim();
  yield;
  for (const { vocabulary } of [words, chunks]) {
    vocabulary.reclaim();
    yield;
  }
  documents.endPurge();
}

/** Returns a function that does one step, if there is anything to do. */
export function createPurge(data: IndexData): () => void {
  let running: Generator<void, void> | undefined;
  return () => {
    const dead = data.documents.deadCount();
    if (running === undefined && dead > DEAD_MIN && dead > data.documents.count() * DEAD_SHARE) running = pass(data);
    if (running?.next().done) running = undefined;
  };
}
