// Takes removed documents out of the index, a little with every write, so that there is no pause and no timer. A pass
// goes through all postings, then through the vocabulary, then through the kept text; only at its end are numbers and
// pages given away again, which is why a query or a snapshot that is under way holds it up.
import { LEAVING } from './document-table.ts';
import type { IndexData } from './evaluate.ts';
import { DOCUMENT_SHIFT } from './posting.ts';

/** A pass is worth it when this part of the documents is dead, and more than these. */
const DEAD_SHARE = 0.2;
const DEAD_MIN = 256;
/** Entries to look at with one write: about 0.05 ms. */
const STEP = 16_384;
/** What looking at a word, a document or a vocabulary shard counts as. */
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

/** Does one step, if there is anything to do. */
export function createPurge(data: IndexData): () => void {
  let running: Generator<void, void> | undefined;
  return () => {
    const dead = data.documents.deadCount();
    if (running === undefined && dead > DEAD_MIN && dead > data.documents.count() * DEAD_SHARE) running = pass(data);
    if (running?.next().done) running = undefined;
  };
}
