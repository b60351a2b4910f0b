// What a turn leaves in its conversation: a question for the person before it is shown, because the turn may come to
// nothing afterwards, and the answer at the end.
import type { AiMessage } from '../ai/ai.ts';
import type { StoredConfirmation } from './confirmation.ts';
import { type StoredConversation, toTitle } from './conversation.ts';
import type { Conversations } from './conversations.ts';

export interface TurnKeeperParts {
  conversations: Conversations;
  now: () => Date;
  newId(): string;
}

export interface TurnToKeep {
  owner: string;
  /** The conversation that it continues, or replaces with several messages. */
  kept: Pick<StoredConversation, 'id'> | undefined;
  given: readonly AiMessage[];
}

export interface TurnKeeper {
  /** Keeps new questions, with what the person has said; durable once it resolves. */
  ask(asked: readonly StoredConfirmation[], hasRead: boolean): Promise<void>;
  /** Keeps the answer, and returns the id of the conversation. */
  end(answer: readonly AiMessage[], hasRead: boolean): Promise<string>;
}

export function createTurnKeeper(
  { conversations, now, newId }: TurnKeeperParts,
  { owner, kept, given }: TurnToKeep,
): TurnKeeper {
  let id = kept?.id;
  let hasGiven = false;

  async function keep(
    answer: readonly AiMessage[],
    confirmations: readonly StoredConfirmation[],
    hasRead: boolean,
  ): Promise<string> {
    const updatedAt = now().toISOString();
    const messages = [...given, ...answer];
    const made = { updatedAt, confirmations: [...confirmations], hasRead };
    const added = { ...made, messages: hasGiven ? [...answer] : messages, replaces: !hasGiven && given.length > 1 };
    if (id === undefined || !(await conversations.add(owner, id, added))) {
      // A conversation that was deleted meanwhile stays so, and its questions with it: a new one begins.
      id = newId();
      await conversations.save(owner, { ...made, id, title: toTitle(messages), createdAt: updatedAt, messages });
    }
    hasGiven = true;
    return id;
  }

  return {
    async ask(asked, hasRead) {
      if (asked.length > 0) await keep([], asked, hasRead);
    },
    // Without the questions: each is kept, and may be answered by now.
    end: (answer, hasRead) => keep(answer, [], hasRead),
  };
}
