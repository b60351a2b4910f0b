// The parts that the feeds need to read the log in order, change by change or commit by commit.
import type { FindAccount } from '../../lib/account.ts';
import type { Odb } from '../../store/repository/odb.ts';
import type { Following } from '../following.ts';
import type { LogIndex } from '../log-index.ts';
import type { Replays } from '../replays.ts';

export interface FeedParts {
  odb: Odb;
  index: LogIndex;
  replays: Replays;
  following: Following;
  /** The field that is the title of a collection's documents, if one is set. */
  titleFieldOf(collection: string): string | undefined;
  findAccount: FindAccount;
  /** Resolves once the repository has every durable commit. */
  flush(): Promise<void>;
}
