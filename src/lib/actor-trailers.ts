// What each of our commits says about who made it (decisions.md, sections 5 and 12). Names of trailers are a file
// format: add, never rename. The author's name and address are those at the time and prove nothing; the id stays the
// account's.
import { encodeToken, toToken } from './text/trailer-token.ts';

export interface CommitActor {
  kind: string;
  /** The account that acts; for an access token, its owner. */
  userId?: string | undefined;
  tokenId?: string | undefined;
  aiModel?: string | undefined;
}

export function actorTrailers({ kind, userId, tokenId, aiModel }: CommitActor): string[] {
  return [
    `Actor: ${kind}`,
    ...(userId ? [`User: ${encodeToken(userId)}`] : []),
    ...(tokenId ? [`Token: ${toToken(tokenId)}`] : []),
    ...(aiModel ? [`AI-Model: ${toToken(aiModel)}`] : []),
  ];
}
