// The scenarios for the store. A scenario is a function of its stage: all its randomness comes from the stage, so that
// a seed repeats it byte for byte.

import { documents, documentsOfTwo } from './scenarios/documents.ts';
import { diskFull, failedSync, leftSegments, noHardLinks, shortOfFiles } from './scenarios/failing.ts';
import { commitInBetween, commitWhileDown, forcePushAccepted, forcePushUndone } from './scenarios/others.ts';
import { servedPush } from './scenarios/pushing.ts';
import {
  remoteFetchAndPush,
  remoteForcePushAccepted,
  remoteForcePushUndone,
  remoteReplay,
} from './scenarios/remote.ts';
import { cleanShutdown, firstStart, mergedPacks, startAfterKill } from './scenarios/starting.ts';
import { tags } from './scenarios/tagging.ts';
import { uploads } from './scenarios/uploading.ts';
import {
  bigFile,
  concurrentBatches,
  deleteAndRename,
  packExtension,
  segmentRollOver,
  sequentialWrites,
} from './scenarios/writing.ts';
import type { Stage } from './stage.ts';

export type Scenario = (stage: Stage) => Promise<void>;

/** Scenarios whose files are documents, so that views can be made of them. */
export const DOCUMENT_SCENARIOS = ['documents', 'documentsOfTwo'];

export const SCENARIOS: Record<string, Scenario> = {
  firstStart,
  sequentialWrites,
  concurrentBatches,
  segmentRollOver,
  packExtension,
  deleteAndRename,
  bigFile,
  documents,
  documentsOfTwo,
  cleanShutdown,
  startAfterKill,
  mergedPacks,
  commitInBetween,
  commitWhileDown,
  forcePushAccepted,
  forcePushUndone,
  servedPush,
  tags,
  uploads,
  remoteFetchAndPush,
  remoteReplay,
  remoteForcePushAccepted,
  remoteForcePushUndone,
  diskFull,
  failedSync,
  leftSegments,
  noHardLinks,
  shortOfFiles,
};
